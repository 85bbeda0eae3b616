// What can be watched of a service from outside of it: its events on the exchange, its rows, its waiting statements.
import { captureMessages, until } from "@tradepost/testing";
import { sql } from "kysely";
import pg from "pg";
import type { TestOrders } from "./test-orders.ts";

interface PublishedEvent {
  readonly id: string;
  readonly type: string;
  readonly data: { readonly order: { readonly id: string; readonly orderNumber: string } };
}

/** Listens to every event from now on. */
export async function watchEvents(orders: TestOrders) {
  const captured = await captureMessages(orders.amqpUrl, "#");
  const of = (tenantId: string): PublishedEvent[] =>
    captured.messages
      .filter(({ properties }) => properties.headers?.tenant_id === tenantId)
      .map(({ content }) => JSON.parse(content.toString()));
  return {
    /** All events of a tenant, once nothing of it is left to publish and at least so many have come. */
    all: (tenantId: string, countMin: number) =>
      until(`${countMin} events`, async () => {
        const isPublished = (await countRows(orders, "outbox", tenantId)) === 0;
        return isPublished && of(tenantId).length >= countMin && of(tenantId);
      }),
    stop: captured.stop,
  };
}

/** How many rows a tenant has in a table. */
export async function countRows(
  { db }: TestOrders,
  table: "orders" | "customers" | "outbox" | "idempotency_records",
  tenantId: string,
): Promise<number> {
  const { rows } = await sql<{ count: string }>`
    select count(*) from ${sql.table(table)} where tenant_id = ${tenantId}`.execute(db);
  return Number(rows[0]?.count);
}

/** Holds a tenant's order numbers, so that whatever wants the next one waits in the middle of its statement. */
export async function holdNumbers(orders: TestOrders, tenantId: string) {
  const client = new pg.Client(orders.databaseUrl);
  await client.connect();
  await client.query("begin");
  const { rowCount } = await client.query("select from order_counters where tenant_id = $1 for update", [
    tenantId,
  ]);
  if (rowCount !== 1) throw new Error("the tenant has no order yet");
  return {
    /** The backends that wait, once there are so many. */
    waiting: (count: number) =>
      until(`${count} waiting statements`, async () => {
        // Not on the connection that holds: a transaction sees the first state of this view until it ends.
        const { rows } = await sql<{ pid: number }>`
          select pid from pg_stat_activity
           where datname = current_database() and application_name = 'orders' and wait_event_type = 'Lock'
        `.execute(orders.db);
        return rows.length === count && rows.map(({ pid }) => pid);
      }),
    /** Breaks the connection of a backend. */
    terminate: (pid: number) => client.query("select pg_terminate_backend($1)", [pid]),
    release: async () => {
      await client.query("rollback");
      await client.end();
    },
  };
}
