// Tables that change all the time are vacuumed more often than by Postgres's default, which waits until a fifth of a table is
// dead: docs/performance.md has the measurement.
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { migrateDatabases } from "@tradepost/devstack";
import { createServiceDatabase, type TestServiceDatabase } from "@tradepost/testing";
import pg from "pg";

const HOT = {
  gateway: ["outbox", "idempotency_records", "sessions"],
  orders: ["outbox", "idempotency_records", "orders"],
  content: ["outbox", "idempotency_records", "entries"],
  webhooks: ["outbox", "idempotency_records", "deliveries"],
} as const;
const SERVICES = Object.keys(HOT) as (keyof typeof HOT)[];

let databases: Record<string, TestServiceDatabase> = {};

beforeAll(async () => {
  databases = Object.fromEntries(
    await Promise.all(
      SERVICES.map(async (service) => [service, await createServiceDatabase(service)] as const),
    ),
  );
  await migrateDatabases(
    Object.fromEntries(SERVICES.map((service) => [service, databases[service]?.ownerUrl])) as Record<
      (typeof SERVICES)[number],
      string
    >,
  );
});

afterAll(() => Promise.all(Object.values(databases).map(({ drop }) => drop())));

test.each(SERVICES)("the hot tables of %s are vacuumed early and without pauses", async (service) => {
  const client = new pg.Client({ connectionString: databases[service]?.url });
  await client.connect();
  const { rows } = await client.query<{ relname: string; reloptions: string[] | null }>(
    "select relname, reloptions from pg_class where relname = any($1)",
    [HOT[service]],
  );
  await client.end();
  expect(rows.map(({ relname }) => relname).sort()).toEqual([...HOT[service]].sort());
  for (const { relname, reloptions } of rows) {
    const options = Object.fromEntries((reloptions ?? []).map((option) => option.split("=")));
    expect([relname, Number(options.autovacuum_vacuum_scale_factor)]).toEqual([
      relname,
      relname === "outbox" ? 0 : 0.01,
    ]);
    expect([relname, options.autovacuum_vacuum_threshold]).toEqual([relname, "5000"]);
    expect([relname, options.autovacuum_vacuum_cost_delay]).toEqual([relname, "0"]);
  }
});
