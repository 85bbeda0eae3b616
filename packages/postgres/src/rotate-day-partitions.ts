// Maintains a table that is partitioned by day. Dropping a partition takes the same time however many rows it has, so rows are
// never deleted one by one.
//
// The functions `make_day` and `drop_day` of `sql/day-partitions.sql` do the work, because a service's role does not own its
// tables. The table `day_tables` lists the partitioned tables. Each has a default partition `<table>_other` for rows without a
// partition of their day. Rows in the view `<table>_still_needed`, if it exists, move to that partition when their day is dropped;
// a day with more than 10,000 such rows is not dropped until it has fewer.
import { addAbortListener } from "node:events";
import type { Pool } from "pg";
import { withoutTimeouts } from "./silent-server.ts";
import { inTransaction } from "./with-client.ts";

const DAYS_AHEAD = 3;
// While it waits for this lock, all other statements on the table wait too.
const LOCK_TIMEOUT_MS = 2_000;

/**
 * Creates the partitions of today and the next 3 days, and drops those older than `days` days. Returns the names of the dropped
 * ones.
 * @throws if a lock is not granted within 2 s or the signal is aborted. Its earlier changes remain.
 */
export async function rotateDayPartitions(
  pool: Pool,
  table: string,
  days: number,
  signal?: AbortSignal,
): Promise<string[]> {
  const { rows } = await pool.query<{ missing: string[]; old: string[] }>(FIND_DAYS, [
    table,
    DAYS_AHEAD,
    days,
  ]);
  for (const day of rows[0]?.missing ?? []) await changePartition(pool, "make_day", table, day, signal);
  const dropped: string[] = [];
  for (const day of rows[0]?.old ?? [])
    if (await changePartition(pool, "drop_day", table, day, signal)) dropped.push(`${table}_${day}`);
  return dropped;
}

// By the database's clock, so that all replicas agree.
const FIND_DAYS = `
  select array(select to_char(today + ahead, 'YYYYMMDD') from generate_series(0, $2::integer) as ahead
                where to_regclass($1::text || to_char(today + ahead, '_YYYYMMDD')) is null) as missing,
         array(select right(name, 8)
                 from (select inhrelid::regclass::text as name from pg_inherits
                        where inhparent = $1::text::regclass) as partition
                where name ~ ('^' || $1::text || '_\\d{8}$') and right(name, 8) < to_char(today - $3::integer, 'YYYYMMDD')
                order by name) as old
    from (select (now() at time zone 'utc')::date as today) as clock`;

/** Changes a partition, in one replica at a time. Returns false if too many rows of a day are still needed to drop it. */
async function changePartition(
  pool: Pool,
  databaseFunction: "make_day" | "drop_day",
  table: string,
  day: string,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  return await inTransaction(pool, async (client) => {
    await client.query(`set local lock_timeout = ${LOCK_TIMEOUT_MS}`);
    return await withoutTimeouts(client, async () => {
      await client.query("select pg_advisory_xact_lock(hashtextextended($1, 0))", [`days of ${table}`]);
      signal?.throwIfAborted();
      // Closing the connection ends the statement, and the server rolls back.
      using _disconnecting = signal && addAbortListener(signal, () => void client.end());
      const values = [table, day];
      const { rows } = await client.query<{ done: boolean }>(
        `select ${databaseFunction}($1, $2) as done`,
        values,
      );
      return rows[0]?.done === true;
    });
  });
}
