import { until } from "@tradepost/testing";
import { sql } from "kysely";
import pg from "pg";
import type { TestOrders } from "./test-orders.ts";

/** Locks a tenant's order numbers, so that a request that needs the next one waits in the middle of its statement. */
export async function lockOrderNumbers(orders: TestOrders, tenantId: string) {
  const client = new pg.Client(orders.databaseUrl);
  await client.connect();
  await client.query("begin");
  const { rowCount } = await client.query("select from order_counters where tenant_id = $1 for update", [
    tenantId,
  ]);
  if (rowCount !== 1) throw new Error("the tenant has no order yet");
  return {
    waiting: (count: number) => untilWaiting(orders, count),
    /** Closes the connection of a backend. */
    terminate: (pid: number) => client.query("select pg_terminate_backend($1)", [pid]),
    release: async () => {
      await client.query("rollback");
      await client.end();
    },
  };
}

/** Resolves with the pids of the backends that wait for a lock once there are `count` of them. */
export function untilWaiting({ db }: TestOrders, count: number): Promise<number[]> {
  // Inside the transaction that has the lock, the view would not change.
  return until(`${count} waiting statements`, async () => {
    const { rows } = await sql<{ pid: number }>`
      select pid from pg_stat_activity
       where datname = current_database() and application_name = 'orders' and wait_event_type = 'Lock'
    `.execute(db);
    return rows.length === count && rows.map(({ pid }) => pid);
  });
}
