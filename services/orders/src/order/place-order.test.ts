import { parseJson, ReceivedJson } from "@tradepost/json";
import { outboxRow, withoutQuota } from "@tradepost/messaging";
import { newPlaceholder } from "@tradepost/postgres";
import { newId, newTraceparent } from "@tradepost/runtime";
import { newOrderResource } from "./new-order-resource.ts";
import { orderInput } from "./order-input.ts";
import { insertOrder, orderJson } from "./place-order.ts";
import { type PricedOrder, priceOrder } from "./price-order.ts";

const cause = {
  requestId: "request",
  traceparent: newTraceparent(),
  principal: { tenantId: newId(), actor: { type: "user", id: newId(), name: "Ada" } },
};
const PENDING = newPlaceholder();
const key = { route: "POST /v1/orders", key: "k", fingerprint: Buffer.alloc(32) };

function newOrder(body: object, { hasKey = true } = {}) {
  const input = orderInput.parse({
    customerId: newId(),
    items: [{ sku: "A-1", name: "Mug", quantity: 2, unitPrice: 10 }],
    ...body,
  });
  const priced = priceOrder(input) as PricedOrder;
  const id = newId();
  const resource = newOrderResource(id, priced);
  return {
    id,
    priced,
    resource,
    json: orderJson(id, PENDING, resource),
    words: [],
    pending: PENDING,
    event: outboxRow("order.placed", id, {}, withoutQuota(cause)),
    idempotencyKey: hasKey ? key : null,
    recordsResponse: true,
  };
}

describe("the statement that inserts an order", () => {
  test("has the same text for every order, so that Postgres prepares it once", () => {
    const one = insertOrder(newOrder({}));
    const items = Array.from({ length: 9 }, () => ({ sku: "B", name: "Cup" }));
    const other = insertOrder(newOrder({ orderNumber: "WEB-1", items }, { hasKey: false }));
    expect(one.text).toBe(other.text);
  });

  test("does not replace what the caller supplies, even where it looks like the placeholder", () => {
    const metadata = { orderNumber: newPlaceholder() };
    const received = new ReceivedJson(JSON.stringify(metadata), metadata);
    const { values } = insertOrder(newOrder({ metadata: received }));
    const event = values.find((value) => String(value).startsWith('{"order":')) as string;
    const completed = parseJson(event.replaceAll(JSON.stringify(PENDING), '"1001"'));
    expect(completed).toMatchObject({ order: { orderNumber: "1001", metadata } });
  });
});
