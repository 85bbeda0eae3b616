// Prepared statements find rows by an index, also with plans that were made while the tables were nearly empty.
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { multiplyRows, recordStatements, type StatementRecorder, until } from "@tradepost/testing";
import type pg from "pg";
import { startTestOrders, type TestOrders } from "./support/test-orders.ts";

const ROWS = 20_000;

let orders: TestOrders;
let recorder: StatementRecorder;

beforeAll(async () => {
  orders = await startTestOrders();
  recorder = await recordStatements(orders.databaseUrl);
});

afterAll(async () => {
  await recorder.stop();
  await orders.stop();
});

test("statements prepared on small tables read few rows of large ones", async () => {
  await useService();
  const reads = await recorder.largeReads(fill);
  expect(reads.filter(({ text }) => !isList(text))).toEqual([]);
  for (const part of [
    "into orders",
    "into published_events",
    "idempotency_records",
    "from outbox",
    "order_changes",
  ]) {
    expect(recorder.texts().find((text) => text.includes(part))).toBeDefined();
  }
});

// Several indexes suit a list while the table is small. Until the next analyze, an old plan may read all rows of the tenant.
function isList(text: string): boolean {
  return text.includes("order by created_at desc");
}

/** Sends requests of each kind to a replica whose statements are recorded, and waits for its relay. */
async function useService(): Promise<void> {
  const shop = await orders.openShop();
  const replica = await orders.startReplica({ ORDERS_DATABASE_URL: recorder.through(orders.serviceUrl) });
  const client = shop.clientAt(replica.url);
  const { customerId } = shop;
  const body = { customerId, items: [{ sku: "A-1", name: "Mug", unitPrice: 3 }] };
  const placed = await client.post("/v1/orders", body, { "idempotency-key": randomUUID() });
  const order = `/v1/orders/${placed.body.data.id}`;
  await client.post(`${order}/payments`, { amount: 3, method: "card", status: "succeeded" });
  await client.post(`${order}/fulfill`);
  for (const path of [order, `${order}/timeline`, `/v1/customers/${customerId}`]) await client.get(path);
  for (const filter of ["", "?status=placed", "?channel=admin", `?customerId=${customerId}`]) {
    await client.get(`/v1/orders${filter}`);
  }
  await client.get("/v1/customers");
  await client.patch(`/v1/customers/${customerId}`, { name: "Grace" });
  await Promise.all([1, 2, 3].map(() => client.post("/v1/orders", body)));
  await until("the relay to publish", async () => {
    await client.post("/v1/orders", body);
    return recorder.texts().some((text) => text.includes("into published_events"));
  });
  await replica.stop();
}

async function fill(owner: pg.Client): Promise<void> {
  await owner.query(`
    insert into outbox (event_id, aggregate_id, type, tenant_id, request_id, traceparent, actor, data)
    select gen_random_uuid(), gen_random_uuid(), type, tenant_id, request_id, traceparent, actor, data
      from (select * from published_events limit 1) one, generate_series(1, ${ROWS})`);
  await multiplyRows(owner, ROWS);
}
