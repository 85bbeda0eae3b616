// Deletes old rows from tables without days: former standings and targets, the default partitions, which hold rows of days that
// had no partition, events whose ids contain no time, and events that were needed for longer than their day was kept. Each statement deletes one batch through an index.
import type { Pool } from "pg";

const BATCH_ROWS_MAX = 1_000;

// Attempts of a whole day are kept until its end, and need the targets that they were sent to.
const TARGETS_DAYS_LONGER = 2;

const BY_AGE = [
  ["delivery_log_other", "completed_at", 0],
  ["attempts_other", "at", 0],
  ["response_bodies_other", "day", 0],
  ["former_standings", "kept_at", 0],
  ["former_targets", "replaced_at", TARGETS_DAYS_LONGER],
] as const;

/** On an error, or when the signal aborts, the rows deleted so far stay deleted. */
export async function deleteUnpartitioned(pool: Pool, days: number, signal?: AbortSignal): Promise<void> {
  const { rows } = await pool.query<{ oldest: Date }>("select now() - $1 * interval '1 day' as oldest", [
    days + 1,
  ]);
  const oldest = rows[0]?.oldest;
  for (const [table, column, daysLonger] of BY_AGE) {
    const deleteBatch = `delete from ${table} where ctid = any(array(
      select ctid from ${table} where ${column} < $1::timestamptz - interval '${daysLonger} days' order by ${column} limit ${BATCH_ROWS_MAX}))`;
    while ((await pool.query(deleteBatch, [oldest])).rowCount === BATCH_ROWS_MAX) signal?.throwIfAborted();
  }
  for (let after: After | undefined = FIRST; after !== undefined; ) {
    signal?.throwIfAborted();
    after = await deleteEvents(pool, oldest, after);
  }
}

/** Returns the last event of the batch, or undefined after the last batch. */
async function deleteEvents(pool: Pool, oldest: Date | undefined, after: After): Promise<After | undefined> {
  const cursor = [after.receivedAt, after.tenantId, after.id];
  return (await pool.query<After>(DELETE_EVENTS, [oldest, ...cursor])).rows[0];
}

interface After {
  readonly receivedAt: string;
  readonly tenantId: string;
  readonly id: string;
}

const NO_ID = "00000000-0000-0000-0000-000000000000";
const FIRST: After = { receivedAt: "-infinity", tenantId: NO_ID, id: NO_ID };

// Keeps events that a delivery or dead letter still needs, so each batch starts after the last event of the previous one.
const DELETE_EVENTS = `
  with old as (
    select tenant_id, id, received_at
      from events_other
     where received_at < $1 and (received_at, tenant_id, id) > ($2::timestamptz, $3::uuid, $4::uuid)
     order by received_at, tenant_id, id
     limit ${BATCH_ROWS_MAX}
  ), deleted as (
    delete from events_other using old
     where events_other.tenant_id = old.tenant_id and events_other.id = old.id
       and not exists (select from deliveries where tenant_id = old.tenant_id and event_id = old.id)
       and not exists (select from delivery_log where tenant_id = old.tenant_id and event_id = old.id)
       and not exists (select from dead_letters where tenant_id = old.tenant_id and event_id = old.id)
  )
  select received_at::text as "receivedAt", tenant_id as "tenantId", id
    from old
   order by received_at desc, tenant_id desc, id desc
   limit 1`;
