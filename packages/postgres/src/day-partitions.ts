// Keeps a table that is partitioned by day: makes the partitions of the days to come, and drops a day as a whole once it
// is too old, which costs the same however many rows it has. Between, nothing is ever deleted row by row.
//
// What the table brings with it: range partitions by one column, none of them named like ours, and a default partition
// `<table>_other`, which takes in whatever has no day of its own.
import type { Pool, PoolClient } from "pg";
import { inTransaction } from "./in-transaction.ts";

export interface DayPartitionedTable {
  readonly table: string;
  /** The partition key's column, and its type: a UUID's day is the one in it (version 7). Days are UTC. */
  readonly column: string;
  readonly type: "timestamptz" | "date" | "uuid";
  /**
   * The rows of a partition that outlive their day, as a query: they go to `<table>_other`. Where there are more than
   * 10,000, the day stays whole until there are fewer.
   */
  readonly survivors?: (partition: string) => string;
}

const DAYS_AHEAD = 3;
const DAY_MS = 24 * 60 * 60 * 1_000;
// Every statement on the table waits behind this lock; better to try again later than to hold them up.
const LOCK_TIMEOUT_MS = 2_000;
// They move while the table is locked: about 200 ms.
const SURVIVORS_MAX = 10_000;

/**
 * In: the table and how many days to keep, today not counted. Out: the names of the partitions that were dropped. Safe
 * to run at any time, by several at once. Throws where a lock is not had within 2 s or the signal aborts; what was done
 * until then stays.
 */
export async function keepDays(
  pool: Pool,
  of: DayPartitionedTable,
  days: number,
  signal?: AbortSignal,
): Promise<string[]> {
  const today = await databaseDay(pool);
  for (let ahead = 0; ahead <= DAYS_AHEAD; ahead += 1) {
    await createDay(pool, of, new Date(today.getTime() + ahead * DAY_MS));
  }
  const tooOld = await partitionsBefore(pool, of, new Date(today.getTime() - days * DAY_MS));
  const dropped: string[] = [];
  for (const partition of tooOld) {
    if (await dropDay(pool, of, partition, signal)) dropped.push(partition);
  }
  return dropped;
}

/** The database's own day, so that replicas agree whatever their clocks say. */
async function databaseDay(pool: Pool): Promise<Date> {
  const { rows } = await pool.query<{ day: string }>("select (now() at time zone 'utc')::date::text as day");
  return new Date(`${rows[0]?.day}T00:00:00Z`);
}

/** Rows of that day that are among the others already move into it. */
async function createDay(pool: Pool, of: DayPartitionedTable, day: Date): Promise<void> {
  const partition = `${of.table}_${nameOf(day)}`;
  if (await exists(pool, partition)) return;
  const [from, to] = [boundOf(of.type, day), boundOf(of.type, new Date(day.getTime() + DAY_MS))];
  await alone(pool, of, async (client) => {
    if (await exists(client, partition)) return;
    await client.query(`
      lock table ${of.table} in access exclusive mode;
      create table ${partition} (like ${of.table} including all excluding indexes);
      with moved as (
        delete from ${of.table}_other where ${of.column} >= ${from} and ${of.column} < ${to} returning *
      )
      insert into ${partition} select * from moved;
      alter table ${of.table} attach partition ${partition} for values from (${from}) to (${to});`);
  });
}

/** Out: false where it stays, for too much of it is still needed. */
async function dropDay(
  pool: Pool,
  of: DayPartitionedTable,
  partition: string,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  return await alone(pool, of, async (client) => {
    signal?.throwIfAborted();
    // Cuts off a statement that is under way, which has no timeout; the server rolls back.
    const cutOff = () => void client.end();
    signal?.addEventListener("abort", cutOff, { once: true });
    try {
      return await dropLocked(client, of, partition);
    } finally {
      signal?.removeEventListener("abort", cutOff);
    }
  });
}

async function dropLocked(client: PoolClient, of: DayPartitionedTable, partition: string): Promise<boolean> {
  if (!(await exists(client, partition))) return true;
  const survivors = of.survivors?.(partition) ?? `select * from ${partition} where false`;
  // Looked for before the table is locked.
  const { rowCount } = await client.query(
    `create temp table survivors on commit drop as ${survivors} limit ${SURVIVORS_MAX + 1}`,
  );
  if ((rowCount ?? 0) > SURVIVORS_MAX) return false;
  await client.query(`
      alter table ${of.table} detach partition ${partition};
      insert into ${of.table} select * from survivors;
      drop table ${partition}`);
  return true;
}

/** One replica at a time works on a table's partitions. */
async function alone<Result>(
  pool: Pool,
  { table }: DayPartitionedTable,
  work: (client: PoolClient) => Promise<Result>,
): Promise<Result> {
  return await inTransaction(pool, async (client) => {
    await client.query(`set local lock_timeout = ${LOCK_TIMEOUT_MS}; set local statement_timeout = 0`);
    await client.query("select pg_advisory_xact_lock(hashtextextended($1, 0))", [`days of ${table}`]);
    return await work(client);
  });
}

async function partitionsBefore(pool: Pool, { table }: DayPartitionedTable, day: Date): Promise<string[]> {
  const { rows } = await pool.query<{ name: string }>(
    "select inhrelid::regclass::text as name from pg_inherits where inhparent = $1::regclass order by name",
    [table],
  );
  const first = `${table}_${nameOf(day)}`;
  const ours = new RegExp(`^${table}_\\d{8}$`);
  return rows.map(({ name }) => name).filter((name) => ours.test(name) && name < first);
}

async function exists(on: Pool | PoolClient, table: string): Promise<boolean> {
  const { rows } = await on.query("select 1 from pg_class where oid = to_regclass($1)", [table]);
  return rows.length > 0;
}

function nameOf(day: Date): string {
  return day.toISOString().slice(0, 10).replaceAll("-", "");
}

function boundOf(type: DayPartitionedTable["type"], day: Date): string {
  if (type !== "uuid") return `'${day.toISOString().slice(0, 10)}${type === "date" ? "" : " 00:00:00Z"}'`;
  const milliseconds = day.getTime().toString(16).padStart(12, "0");
  return `'${milliseconds.slice(0, 8)}-${milliseconds.slice(8)}-0000-0000-000000000000'`;
}
