// Keeps a table that is partitioned by day: makes the partitions of the days to come, and drops a day as a whole once it
// is too old, which costs the same however many rows it has. Between, nothing is ever deleted row by row.
//
// The database does the work, in the functions `make_day` and `drop_day` of the service's migrations, because the service
// owns nothing. Its table `day_tables` names the tables, their keys and how young a day is never dropped. Each has a
// default partition `<table>_other`, which takes in whatever has no day of its own; and no other is named like a day's. Rows
// that the view `<table>_still_needed` names outlive their day there; where it names more than 10,000 of a day, that day
// stays whole until there are fewer.
import type { Pool, PoolClient } from "pg";
import { inTransaction } from "./in-transaction.ts";

const DAYS_AHEAD = 3;
const DAY_MS = 24 * 60 * 60 * 1_000;
// Every statement on the table waits behind this lock; better to try again later than to hold them up.
const LOCK_TIMEOUT_MS = 2_000;

/**
 * In: the table and how many days to keep, today not counted. Out: the names of the partitions that were dropped. Safe
 * to run at any time, by several at once. Throws where a lock is not had within 2 s or the signal aborts; what was done
 * until then stays.
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
      await work(pool, "make_day", table, isoOf(day), signal);
  }
  const tooOld = await partitionsBefore(pool, table, new Date(today.getTime() - days * DAY_MS));
  const dropped: string[] = [];
  for (const partition of tooOld) {
    const day = partition.slice(`${table}_`.length);
    if (await work(pool, "drop_day", table, day, signal)) dropped.push(partition);
  }
  return dropped;
}

/** The database's own day, so that replicas agree whatever their clocks say. */
async function databaseDay(pool: Pool): Promise<Date> {
  const { rows } = await pool.query<{ day: string }>("select (now() at time zone 'utc')::date::text as day");
  return new Date(`${rows[0]?.day}T00:00:00Z`);
}

/**
 * One replica at a time works on a table's partitions; each function finds out by itself what is done already. Out: false
 * where a day stays, for too much of it is still needed.
 */
async function work(
  pool: Pool,
  work: "make_day" | "drop_day",
  table: string,
  day: string,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  return await inTransaction(pool, async (client) => {
    await client.query(`set local lock_timeout = ${LOCK_TIMEOUT_MS}; set local statement_timeout = 0`);
    await client.query("select pg_advisory_xact_lock(hashtextextended($1, 0))", [`days of ${table}`]);
    signal?.throwIfAborted();
    // Cuts off a statement that is under way, which has no timeout; the server rolls back.
    const cutOff = () => void client.end();
    signal?.addEventListener("abort", cutOff, { once: true });
    try {
      const { rows } = await client.query<{ done: boolean }>(`select ${work}($1, $2) as done`, [table, day]);
      return rows[0]?.done === true;
    } finally {
      signal?.removeEventListener("abort", cutOff);
    }
  });
}

async function partitionsBefore(pool: Pool, table: string, day: Date): Promise<string[]> {
  const { rows } = await pool.query<{ name: string }>(
    "select inhrelid::regclass::text as name from pg_inherits where inhparent = $1::regclass order by name",
    [table],
  );
  const first = partitionOf(table, day);
  const ours = new RegExp(`^${table}_\\d{8}$`);
  return rows.map(({ name }) => name).filter((name) => ours.test(name) && name < first);
}

async function exists(on: Pool | PoolClient, table: string): Promise<boolean> {
  const { rows } = await on.query("select 1 from pg_class where oid = to_regclass($1)", [table]);
  return rows.length > 0;
}

function partitionOf(table: string, day: Date): string {
  return `${table}_${isoOf(day).replaceAll("-", "")}`;
}

function isoOf(day: Date): string {
  return day.toISOString().slice(0, 10);
}
