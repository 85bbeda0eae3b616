// Maintains a table that is partitioned by day. Dropping a partition takes the same time however many rows it has, so rows are
// never deleted one by one.
//
// The functions `make_day` and `drop_day` of `sql/day-partitions.sql` do the work, because a service's role does not own its
// tables. The table `day_tables` lists the partitioned tables. Each has a default partition `<table>_other` for rows without a
// partition of their day. Rows in the view `<table>_still_needed`, if it exists, move to that partition when their day is dropped;
// a day with more than 10,000 such rows is not dropped until it has fewer.
import type { Pool } from "pg";
import { withoutTimeouts } from "./silent-server.ts";
import { inTransaction } from "./with-client.ts";

const DAYS_AHEAD = 3;
const DAY_MS = 24 * 60 * 60 * 1_000;
// While the function waits for this lock, all other statements on the table wait too.
const LOCK_TIMEOUT_MS = 2_000;

/**
 * Creates the partitions of today and the next 3 days, drops those older than `days` days, and returns the names of the dropped
 * ones.
 *
 * @throws if a lock is not granted within 2 s or the signal is aborted. Its earlier changes remain.
 */
export async function rotateDayPartitions(
  pool: Pool,
  table: string,
  days: number,
  signal?: AbortSignal,
): Promise<string[]> {
  const today = await databaseDay(pool);
  for (let ahead = 0; ahead <= DAYS_AHEAD; ahead += 1) {
    const day = new Date(today.getTime() + ahead * DAY_MS);
    if (!(await exists(pool, partitionOf(table, day))))
      await changePartition(pool, "make_day", table, isoOf(day), signal);
  }
  const tooOld = await partitionsBefore(pool, table, new Date(today.getTime() - days * DAY_MS));
  const dropped: string[] = [];
  for (const partition of tooOld) {
    const day = partition.slice(`${table}_`.length);
    if (await changePartition(pool, "drop_day", table, day, signal)) dropped.push(partition);
  }
  return dropped;
}

/** The current day of the database's clock, so that all replicas agree. */
async function databaseDay(pool: Pool): Promise<Date> {
  const { rows } = await pool.query<{ day: string }>("select (now() at time zone 'utc')::date::text as day");
  return new Date(`${rows[0]?.day}T00:00:00Z`);
}

/**
 * Only one replica at a time changes a table's partitions. Returns false if a day was not dropped because too many of its rows are
 * still needed.
 */
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
      // The statement has no timeout; closing the connection ends it, and the server rolls back.
      const disconnect = () => void client.end();
      signal?.addEventListener("abort", disconnect, { once: true });
      try {
        const { rows } = await client.query<{ done: boolean }>(`select ${databaseFunction}($1, $2) as done`, [
          table,
          day,
        ]);
        return rows[0]?.done === true;
      } finally {
        signal?.removeEventListener("abort", disconnect);
      }
    });
  });
}

async function partitionsBefore(pool: Pool, table: string, day: Date): Promise<string[]> {
  const { rows } = await pool.query<{ name: string }>(
    "select inhrelid::regclass::text as name from pg_inherits where inhparent = $1::regclass order by name",
    [table],
  );
  const first = partitionOf(table, day);
  const dayPartition = new RegExp(`^${table}_\\d{8}$`);
  return rows.map(({ name }) => name).filter((name) => dayPartition.test(name) && name < first);
}

async function exists(pool: Pool, table: string): Promise<boolean> {
  const { rows } = await pool.query("select 1 from pg_class where oid = to_regclass($1)", [table]);
  return rows.length > 0;
}

function partitionOf(table: string, day: Date): string {
  return `${table}_${isoOf(day).replaceAll("-", "")}`;
}

function isoOf(day: Date): string {
  return day.toISOString().slice(0, 10);
}
