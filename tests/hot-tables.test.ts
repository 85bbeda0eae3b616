// Tables that change all the time are vacuumed more often than by default, which waits until a fifth of a table is dead. Other
// tables are small, seldom change, or only grow. docs/performance.md has the measurements.
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { createServiceDatabase, type TestServiceDatabase } from "@tradepost/testing";
import pg from "pg";

const HOT = {
  gateway: ["outbox", "idempotency_records", "sessions"],
  orders: ["outbox", "idempotency_records", "order_deltas", "orders"],
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
});

afterAll(() => Promise.all(Object.values(databases).map(({ drop }) => drop())));

test.each(SERVICES)(
  "the hot tables of %s, and no others, are vacuumed early and without pauses",
  async (service) => {
    const client = new pg.Client({ connectionString: databases[service]?.url });
    await client.connect();
    const { rows } = await client.query<{ relname: string; reloptions: string[] }>(
      `select relname, reloptions from pg_class
      where relkind in ('r', 'p') and relnamespace = 'public'::regnamespace and reloptions is not null`,
    );
    await client.end();
    const settings = Object.fromEntries(
      rows.map(({ relname, reloptions }) => [
        relname,
        Object.fromEntries(reloptions.map((option) => option.split("="))),
      ]),
    );
    expect(settings).toEqual(
      Object.fromEntries(
        HOT[service].map((table) => [
          table,
          {
            autovacuum_vacuum_scale_factor: table === "outbox" ? "0" : "0.01",
            autovacuum_vacuum_threshold: "5000",
            autovacuum_vacuum_cost_delay: "0",
          },
        ]),
      ),
    );
  },
);
