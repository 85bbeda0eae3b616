// Postgres uses one plan for all orders of a connection. A statement that it planned again for each order took three times as long.
import { expect, test } from "@jest/globals";
import { outboxRow, withoutQuota } from "@tradepost/messaging";
import { newPlaceholder } from "@tradepost/postgres";
import { newId, newTraceparent } from "@tradepost/runtime";
import pg from "pg";
import { newOrderResource } from "../src/order/new-order-resource.ts";
import { orderInput } from "../src/order/order-input.ts";
import { insertOrder, orderJson } from "../src/order/place-order.ts";
import { type PricedOrder, priceOrder } from "../src/order/price-order.ts";
import { sharedTestOrders } from "./support/test-orders.ts";

// Postgres tries five plans of their own before it compares them with one for all.
const ORDERS = 8;

test("orders are not planned one by one", async () => {
  const orders = await sharedTestOrders();
  const { tenantId, customerId } = await orders.openShop();
  const client = new pg.Client(orders.databaseUrl);
  await client.connect();
  try {
    for (let count = 0; count < ORDERS; count += 1) {
      await client.query("begin");
      await client.query({ name: "place", ...statementFor(tenantId, customerId) });
      await client.query("rollback");
    }
    const { rows } = await client.query(
      "select generic_plans > 0 as is_planned_once from pg_prepared_statements where name = 'place'",
    );
    expect(rows).toEqual([{ is_planned_once: true }]);
  } finally {
    await client.end();
  }
});

function statementFor(tenantId: string, customerId: string) {
  const items = [{ sku: "MUG-1", name: "Mug", quantity: 2, unitPrice: 10 }];
  const priced = priceOrder(orderInput.parse({ customerId, items })) as PricedOrder;
  const id = newId();
  const resource = newOrderResource(id, priced);
  const pending = newPlaceholder();
  const cause = withoutQuota({
    requestId: "request-1",
    traceparent: newTraceparent(),
    principal: { tenantId, actor: { type: "user", id: newId(), name: "Ada" } },
  });
  return insertOrder({
    ...{ id, priced, resource, pending, json: orderJson(id, pending, resource), words: [] },
    ...{ event: outboxRow("order.placed", id, {}, cause), idempotencyKey: null, recordsResponse: true },
  });
}
