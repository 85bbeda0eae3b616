// What the service's roles may read and change. tests/contract/tables has the policies that keep tenants apart.
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import pg from "pg";
import { startTestOrders, type TestOrders, type TestShop } from "./support/test-orders.ts";

const DENIED = "42501";

describe("row-level security", () => {
  let orders: TestOrders;
  let client: pg.Client;
  let ours: TestShop;

  beforeAll(async () => {
    orders = await startTestOrders();
    client = new pg.Client(orders.databaseUrl);
    await client.connect();
    ours = await orders.openShop();
    for (const shop of [ours, await orders.openShop()]) await placeAndFulfill(shop);
  });
  afterAll(async () => {
    await client.end();
    await orders.stop();
  });

  const actAs = async (role: string, tenantId = "") => {
    await client.query("reset role");
    await client.query(`set role ${role}`);
    await client.query("select set_config('tradepost.tenant_id', $1, false)", [tenantId]);
  };
  const codeOf = async (statement: string, values: unknown[] = []): Promise<unknown> =>
    client.query(statement, values).then(
      ({ rowCount }) => ({ rowCount }),
      ({ code }) => code,
    );
  const tenantsIn = async (table: string) =>
    (await client.query(`select distinct tenant_id from ${table}`)).rows.map((row) => row.tenant_id);

  test("does not let the service's role change an order's amounts and lines, or its timeline", async () => {
    await actAs("tradepost_orders", ours.tenantId);
    for (const statement of [
      "update orders set total = 0",
      "update order_line_rows set quantity = 1",
      "update orders set lines = null",
      "update order_changes set actor = '{}'",
      "update orders set external_id = null",
      "update orders set customer_id = id",
      "delete from orders",
      "delete from order_changes",
      "delete from erasures",
      "select customer_digest from erased_customers",
      "delete from erased_customers",
    ]) {
      expect([statement, await codeOf(statement)]).toEqual([statement, DENIED]);
    }
  });

  test("lets the service's role read its tenant's events, and change nothing but their data", async () => {
    await actAs("tradepost_orders", ours.tenantId);
    const seen: string[] = [];
    for (const table of ["outbox", "published_events"]) {
      for (const statement of [`delete from ${table}`, `update ${table} set type = ''`]) {
        expect([statement, await codeOf(statement)]).toEqual([statement, DENIED]);
      }
      seen.push(...(await tenantsIn(table)));
    }
    expect(new Set(seen)).toEqual(new Set([ours.tenantId]));
    await actAs("tradepost_orders");
    expect([await tenantsIn("outbox"), await tenantsIn("published_events")]).toEqual([[], []]);
  });

  test("shows the worker role every tenant's events, idempotency records and figures of orders, and nothing else", async () => {
    await actAs("tradepost_orders_worker");
    expect((await tenantsIn("idempotency_records")).length).toBeGreaterThan(0);
    expect(await codeOf("select from outbox")).toEqual({ rowCount: expect.any(Number) });
    for (const table of [
      "customers",
      "orders",
      "order_lines",
      "order_line_rows",
      "order_changes",
      "order_counters",
      "order_words",
      "customer_words",
    ]) {
      expect([table, await codeOf(`select from ${table}`)]).toEqual([table, DENIED]);
    }
  });
});

/** Places an order with an Idempotency-Key and fulfills it. */
async function placeAndFulfill({ client, customerId }: TestShop): Promise<void> {
  const body = { customerId, items: [{ sku: "A-1", name: "Mug" }] };
  const { body: placed } = await client.post("/v1/orders", body, { "idempotency-key": randomUUID() });
  const { status } = await client.post(`/v1/orders/${placed.data.id}/fulfill`);
  expect(status).toBe(200);
}
