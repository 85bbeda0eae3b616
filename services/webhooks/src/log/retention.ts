// Limits the age of the delivery log by dropping its oldest day partitions. Open deliveries and dead letters are in other
// tables and are never dropped; their events are moved out of a partition before it is dropped.
import { NO_ID } from "@tradepost/http";
import { rotateDayPartitions, toStatement } from "@tradepost/postgres";
import { type Logger, type Repetition, repeat } from "@tradepost/runtime";
import { sql } from "kysely";
import type { Pool } from "pg";

const ROTATE_EVERY_MS = 60 * 60 * 1_000;
const RETRY_AFTER_MS = 10_000;

// An attempt precedes the end of its delivery, possibly across midnight.
const DAYS_LONGER = 1;
// Deliveries first: they decide which rows of the other tables are still needed.
const TABLES = [
  ["delivery_log", 0],
  ["attempts", DAYS_LONGER],
  ["response_bodies", DAYS_LONGER],
  ["events", DAYS_LONGER],
] as const;

/** Returns the dropped partitions. An error does not undo what was dropped before it. */
export async function applyRetention(pool: Pool, days: number): Promise<string[]> {
  const dropped = await dropDays(pool, days);
  await deleteUnpartitioned(pool, days);
  return dropped;
}

export function startRetention(options: {
  pool: Pool;
  days: number;
  logger: Logger;
}): Pick<Repetition, "stop"> {
  const { pool, days, logger } = options;
  // Due at the start, after days were dropped, and again after a failure.
  let isDeletionDue = true;
  const stopping = new AbortController();
  const rotating = repeat(async () => {
    try {
      const dropped = await dropDays(pool, days, stopping.signal);
      if (dropped.length > 0) logger.info({ dropped }, "dropped old days of the delivery log");
      if (dropped.length > 0) isDeletionDue = true;
      if (isDeletionDue) await deleteUnpartitioned(pool, days, stopping.signal);
      isDeletionDue = false;
      return ROTATE_EVERY_MS;
    } catch (error) {
      if (!stopping.signal.aborted)
        logger.warn({ err: error }, "could not apply the retention of the delivery log; retrying");
      return RETRY_AFTER_MS;
    }
  });
  return {
    stop: async () => {
      stopping.abort();
      await rotating.stop();
    },
  };
}

async function dropDays(pool: Pool, days: number, signal?: AbortSignal): Promise<string[]> {
  const dropped: string[] = [];
  for (const [table, daysLonger] of TABLES)
    dropped.push(...(await rotateDayPartitions(pool, table, days + daysLonger, signal)));
  // Keeps the bytes of a day whose partition stays because too many of its events are needed.
  await pool.query(
    toStatement(sql`
      delete from received_bytes
       where day < (now() at time zone 'utc')::date - ${days + DAYS_LONGER}::integer
         and to_regclass(to_char(day, '"events_"YYYYMMDD')) is null`),
  );
  return dropped;
}

const BATCH_ROWS_MAX = 1_000;

// Attempts are kept until their whole day is dropped, and need their targets.
const TARGETS_DAYS_LONGER = 2;

const BY_AGE = [
  ["delivery_log_other", "completed_at", 0],
  ["attempts_other", "at", 0],
  ["response_bodies_other", "day", 0],
  ["former_standings", "kept_at", 0],
  ["notices", "closed_at", 0],
  ["former_targets", "replaced_at", TARGETS_DAYS_LONGER],
] as const;

/**
 * Deletes old rows from tables without day partitions, and from the default partitions, which hold events whose ids contain no time
 * and those that outlived their day. Each statement deletes one batch through an index.
 */
async function deleteUnpartitioned(pool: Pool, days: number, signal?: AbortSignal): Promise<void> {
  const { rows } = await pool.query<{ oldest: Date }>(
    toStatement(sql`select now() - ${days + 1} * interval '1 day' as oldest`),
  );
  const oldest = rows[0]?.oldest;
  for (const [table, column, daysLonger] of BY_AGE) {
    const [from, at] = [sql.table(table), sql.ref(column)];
    const deleteBatch = toStatement(sql`delete from ${from} where ctid = any(array(
      select ctid from ${from} where ${at} < ${oldest}::timestamptz - interval '${sql.raw(String(daysLonger))} days'
       order by ${at} limit ${sql.lit(BATCH_ROWS_MAX)}))`);
    while ((await pool.query(deleteBatch)).rowCount === BATCH_ROWS_MAX) signal?.throwIfAborted();
  }
  for (let after: AfterReplay | undefined = FIRST; after !== undefined; ) {
    signal?.throwIfAborted();
    after = await deleteReplays(pool, oldest, after);
  }
  for (let after: After | undefined = FIRST; after !== undefined; ) {
    signal?.throwIfAborted();
    after = await deleteEvents(pool, oldest, after);
  }
}

interface After {
  readonly receivedAt: string;
  readonly tenantId: string;
  readonly id: string;
}

type AfterReplay = Pick<After, "tenantId" | "id">;

const FIRST: After = { receivedAt: "-infinity", tenantId: NO_ID, id: NO_ID };

/**
 * Returns the last replay of the batch, or undefined after the last batch. Keeps a replay while its subscription has a delivery
 * from before its end. `limit` keeps the planner from reading the whole log.
 */
async function deleteReplays(
  pool: Pool,
  oldest: Date | undefined,
  after: AfterReplay,
): Promise<AfterReplay | undefined> {
  const { rows } = await pool.query<AfterReplay>(
    toStatement(sql`
      with page as (
        select ctid as tid, tenant_id, id, subscription_id, finished_at
          from replays
         where (tenant_id, id) > (${after.tenantId}::uuid, ${after.id}::uuid)
         order by tenant_id, id
         limit ${sql.lit(BATCH_ROWS_MAX)}
      ), deleted as (
        delete from replays
         where not has_work and finished_at < ${oldest} and ctid = any(array(
           select tid from page
            where finished_at < ${oldest}
              and (select true from all_deliveries
                    where tenant_id = page.tenant_id and subscription_id = page.subscription_id
                      and created_at <= page.finished_at
                    limit 1) is null))
      )
      select tenant_id as "tenantId", id
        from page
       order by tenant_id desc, id desc
       limit 1`),
  );
  return rows[0];
}

/** Starts after the last event of the previous batch, because events that are still needed stay. */
async function deleteEvents(pool: Pool, oldest: Date | undefined, after: After): Promise<After | undefined> {
  const { rows } = await pool.query<After>(
    toStatement(sql`
      with old as (
        select tenant_id, id, received_at
          from events_other
         where received_at < ${oldest}
           and (received_at, tenant_id, id) > (${after.receivedAt}::timestamptz, ${after.tenantId}::uuid, ${after.id}::uuid)
         order by received_at, tenant_id, id
         limit ${sql.lit(BATCH_ROWS_MAX)}
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
       limit 1`),
  );
  return rows[0];
}
