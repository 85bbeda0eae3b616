// Forgets what has no day of its own and is too old: rows of days that had no partition, events whose ids tell no time, and
// events that outlived their day. Batch by batch, through an index each, so that no statement grows with what there is.
import type { Pool } from "pg";

const BATCH_ROWS_MAX = 1_000;

const BY_AGE = [
  ["delivery_log_other", "completed_at"],
  ["attempts_other", "at"],
  ["response_bodies_other", "day"],
] as const;

/** In: how many days to keep. Throws where the database fails or the signal aborts; what was forgotten until then stays so. */
export async function deleteUnpartitioned(pool: Pool, days: number, signal?: AbortSignal): Promise<void> {
  const { rows } = await pool.query<{ then: Date }>("select now() - $1 * interval '1 day' as then", [
    days + 1,
  ]);
  const then = rows[0]?.then;
  for (const [table, column] of BY_AGE) {
    const forget = `delete from ${table} where ctid = any(array(
      select ctid from ${table} where ${column} < $1 order by ${column} limit ${BATCH_ROWS_MAX}))`;
    while ((await pool.query(forget, [then])).rowCount === BATCH_ROWS_MAX) signal?.throwIfAborted();
  }
  for (let after: After | undefined = FIRST; after !== undefined; ) {
    signal?.throwIfAborted();
    after = await forgetEvents(pool, then, after);
  }
}

/** Out: the last of the batch, or undefined where there was nothing more. */
async function forgetEvents(pool: Pool, then: Date | undefined, after: After): Promise<After | undefined> {
  const cursor = [after.receivedAt, after.tenantId, after.id];
  return (await pool.query<After>(FORGET_EVENTS, [then, ...cursor])).rows[0];
}

interface After {
  readonly receivedAt: string;
  readonly tenantId: string;
  readonly id: string;
}

const NO_ID = "00000000-0000-0000-0000-000000000000";
const FIRST: After = { receivedAt: "-infinity", tenantId: NO_ID, id: NO_ID };

// Those that are still needed stay, so each batch begins after the last. Deliveries first: what is still needed is told
// from them.
const FORGET_EVENTS = `
  with old as (
    select tenant_id, id, received_at
      from events_other
     where received_at < $1 and (received_at, tenant_id, id) > ($2::timestamptz, $3::uuid, $4::uuid)
     order by received_at, tenant_id, id
     limit ${BATCH_ROWS_MAX}
  ), forgotten as (
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
