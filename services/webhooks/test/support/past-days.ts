// Moves deliveries into the past, with the partitions that the service would have created on those days.
import type { Pool } from "pg";
import { firstIdAt } from "../../src/delivery/ids.ts";

// Each with the column that has the age of a row.
const TABLES = { delivery_log: "completed_at", attempts: "at", response_bodies: "day", events: "id" };
const DAY_MS = 24 * 60 * 60 * 1_000;

// A real partition belongs to the owner of the table.
const MAKE_DAYS = `
  select format('create table if not exists %1$s partition of %2$s for values from (%3$s) to (%4$s);
                 alter table %1$s owner to %5$s',
                name || to_char(day, '_YYYYMMDD'), name, first_key_of(key_type, day), first_key_of(key_type, day + 1),
                relowner::regrole) as statements
    from day_tables join pg_class on oid = name::regclass,
         (select (now() at time zone 'utc')::date - ago as day from unnest($1::integer[]) as ago) as days
   where name = any($2)`;

/** Creates the missing partitions of these days. */
export async function makeDays(pool: Pool, daysAgo: readonly number[], tables = Object.keys(TABLES)) {
  const { rows } = await pool.query(MAKE_DAYS, [daysAgo, tables]);
  for (const { statements } of rows) await pool.query(statements);
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

export const partitionCounts = (pool: Pool) =>
  countEach(async (table) => {
    const count = "select count(*)::int from pg_inherits where inhparent = $1::regclass";
    return (await pool.query(count, [table])).rows[0].count;
  });

/** Counts the rows of a tenant that are older than this, and the others. */
export async function rowCounts(pool: Pool, tenantId: string, days: number) {
  const since = new Date(Date.now() - days * DAY_MS);
  const counts = (comparison: "<" | ">=") =>
    countEach(async (table, age) => {
      const count = `select count(*)::int from ${table} where tenant_id = $1 and ${age} ${comparison} $2`;
      const values = [tenantId, table === "events" ? firstIdAt(since) : since];
      return (await pool.query(count, values)).rows[0].count;
    });
  return { older: await counts("<"), younger: await counts(">=") };
}

/** Counts the rows of a tenant in the default partitions. */
export const otherCounts = (pool: Pool, tenantId: string) =>
  countEach(async (table) => {
    const count = `select count(*)::int from ${table}_other where tenant_id = $1`;
    return (await pool.query(count, [tenantId])).rows[0].count;
  });

async function countEach(count: (table: string, age: string) => Promise<number>) {
  const counting = Object.entries(TABLES).map(async ([table, age]) => [table, await count(table, age)]);
  return Object.fromEntries(await Promise.all(counting)) as Record<keyof typeof TABLES, number>;
}

/** Inserts events and deliveries that succeeded at once. `made` selects their ids and times; its first parameter is $3. */
export const insertDelivered = async (
  pool: Pool,
  tenantId: string,
  subscriptionId: string,
  made: string,
  ...values: unknown[]
) =>
  await pool.query(
    `with made as (${made}), event as (
       insert into events (tenant_id, id, type, occurred_at, request_id, data, matched)
       select $1::uuid, id, 'redirect.added', at, 'r', '{}', 1 from made
     ), attempted as (
       insert into attempts (tenant_id, delivery_id, generation, attempt, at, duration_ms, outcome, status_code)
       select $1, id, 1, 1, at, 5, 'delivered', 200 from made
     )
     insert into delivery_log (tenant_id, id, subscription_id, event_id, type, status, attempt_count, generation,
                               created_at, completed_at)
     select $1, id, $2, id, 'redirect.added', 'delivered', 1, 1, at, at from made`,
    [tenantId, subscriptionId, ...values],
  );

// No event id belongs to a day. A random id does, once in about 100,000.
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
