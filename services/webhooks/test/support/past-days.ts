// Moves deliveries into the past, with the partitions that the service would have created on those days.
import type { Pool } from "pg";

const TABLES = ["delivery_log", "attempts", "response_bodies", "events"] as const;
export type Counts = Record<(typeof TABLES)[number], number>;
const DAY_MS = 24 * 60 * 60 * 1_000;

/** Creates the missing partitions of these days. */
export async function makeDays(
  pool: Pool,
  daysAgo: readonly number[],
  tables: readonly string[] = TABLES,
): Promise<void> {
  const { rows } = await pool.query("select (now() at time zone 'utc')::date::text as day");
  const today = Date.parse(`${rows[0].day}T00:00:00Z`);
  for (const ago of daysAgo) {
    const [from, to] = [new Date(today - ago * DAY_MS), new Date(today - (ago - 1) * DAY_MS)];
    const name = from.toISOString().slice(0, 10).replaceAll("-", "");
    for (const table of tables) {
      await pool.query(`create table if not exists ${table}_${name} partition of ${table}
        for values from ('${boundOf(table, from)}') to ('${boundOf(table, to)}')`);
      // A real partition belongs to the owner of the table.
      await pool.query(`do $$ begin execute format('alter table ${table}_${name} owner to %s',
        (select relowner::regrole from pg_class where oid = '${table}'::regclass)); end $$`);
    }
  }
}

function boundOf(table: string, day: Date): string {
  if (table !== "events")
    return `${day.toISOString().slice(0, 10)}${table === "response_bodies" ? "" : " 00:00Z"}`;
  const hex = day.getTime().toString(16).padStart(12, "0");
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`;
}

const AGE = [
  `update events set received_at = received_at - $2 * interval '1 day'
    where id = (select event_id from all_deliveries where id = $1)`,
  `insert into response_bodies
   select tenant_id, digest, day - $2::integer, body from response_bodies
    where (tenant_id, digest) in (select tenant_id, response_digest from attempts where delivery_id = $1)
   on conflict do nothing`,
  "update attempts set at = at - $2 * interval '1 day' where delivery_id = $1",
  `update delivery_log set completed_at = completed_at - $2 * interval '1 day',
                           created_at = created_at - $2 * interval '1 day' where id = $1`,
  "update deliveries set created_at = created_at - $2 * interval '1 day' where id = $1",
  `update dead_letters set failed_at = failed_at - $2 * interval '1 day',
                           created_at = created_at - $2 * interval '1 day' where delivery_id = $1`,
];

/** Moves all rows of a delivery into the past, except the id of its event. */
export async function ageDelivery(pool: Pool, deliveryId: string, days: number): Promise<void> {
  for (const statement of AGE) await pool.query(statement, [deliveryId, days]);
}

export async function partitionCounts(pool: Pool): Promise<Counts> {
  const { rows } = await pool.query(
    `select inhparent::regclass::text as name, count(*)::int from pg_inherits
      where inhparent = any($1::regclass[]) group by 1`,
    [TABLES],
  );
  return Object.fromEntries(rows.map(({ name, count }) => [name, count])) as Counts;
}

/** Counts the rows of a tenant that are older than this, and the others. */
export async function rowCounts(pool: Pool, tenantId: string, days: number) {
  const since = new Date(Date.now() - days * DAY_MS);
  const ageOf = { delivery_log: "completed_at", attempts: "at", response_bodies: "day", events: "id" };
  const count = async (table: (typeof TABLES)[number], comparison: "<" | ">=") => {
    const { rows } = await pool.query(
      `select count(*)::int from ${table} where tenant_id = $1 and ${ageOf[table]} ${comparison} $2`,
      [tenantId, table === "events" ? boundOf(table, since) : since],
    );
    return [table, rows[0].count] as const;
  };
  const counts = async (comparison: "<" | ">=") =>
    Object.fromEntries(await Promise.all(TABLES.map((table) => count(table, comparison)))) as Counts;
  return { older: await counts("<"), younger: await counts(">=") };
}

// No id of an event is of a day. A random one is, once in about 100,000.
const INSERT_OTHERS = [
  `insert into events_other (tenant_id, id, type, occurred_at, request_id, data, received_at)
   select $1, ('ff' || substr(gen_random_uuid()::text, 3))::uuid, 'redirect.added', at, 'r', '{}', at from others`,
  `insert into delivery_log_other (tenant_id, id, subscription_id, event_id, type, status, attempt_count, generation,
                                   created_at, completed_at)
   select $1, gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), 'redirect.added', 'delivered', 1, 1, at, at
     from others`,
  `insert into attempts_other (tenant_id, delivery_id, generation, attempt, at, duration_ms, outcome)
   select $1, gen_random_uuid(), 1, 1, at, 1, 'delivered' from others`,
  `insert into response_bodies_other (tenant_id, digest, day, body)
   select $1, uuid_send(gen_random_uuid()), at::date, 'ok' from others`,
];

/** Inserts unrelated rows of these ages into the default partitions. */
export async function insertOthers(pool: Pool, tenantId: string, daysAgo: number, count: number) {
  const others = "with others as (select now() - $2 * interval '1 day' as at from generate_series(1, $3))";
  for (const insert of INSERT_OTHERS) await pool.query(`${others} ${insert}`, [tenantId, daysAgo, count]);
}

/** Counts the rows of a tenant in the default partitions. */
export async function otherCounts(pool: Pool, tenantId: string) {
  const count = async (table: string) => {
    const { rows } = await pool.query(`select count(*)::int from ${table}_other where tenant_id = $1`, [
      tenantId,
    ]);
    return [`${table}_other`, rows[0].count as number] as const;
  };
  const counts = Object.fromEntries(await Promise.all(TABLES.map(count)));
  return counts as Record<`${(typeof TABLES)[number]}_other`, number>;
}
