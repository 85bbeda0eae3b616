import { describe, expect, test } from "@jest/globals";
import { parseJson, ReceivedJson } from "@tradepost/json";
import { outboxRow, withoutQuota } from "@tradepost/messaging";
import { newPlaceholder } from "@tradepost/postgres";
import { newId, newTraceparent } from "@tradepost/runtime";
import { newOrderResource } from "./new-order-resource.ts";
import { orderInput } from "./order-input.ts";
import { shownInEvents } from "./order-resource.ts";
import { insertOrder, orderJson } from "./place-order.ts";
import { type PricedOrder, priceOrder } from "./price-order.ts";

const cause = {
  requestId: "request",
  traceparent: newTraceparent(),
  principal: { tenantId: newId(), actor: { type: "user", id: newId(), name: "Ada" } },
};
const PENDING = newPlaceholder();
const key = { route: "POST /v1/orders", key: "k", fingerprint: Buffer.alloc(32) };

function newOrder(body: object, options: { hasKey?: boolean; recordsResponse?: boolean } = {}) {
  const { hasKey = true, recordsResponse = true } = options;
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
    recordsResponse,
  };
}

/** Returns the value that the statement inserts into a column, found by its place in the column list. */
function parameterOf(table: string, column: string, { text, values }: ReturnType<typeof insertOrder>) {
  const [, columns = "", selected = ""] =
    new RegExp(`insert into ${table} \\(([^)]*)\\)\\s+select ([^;]*?)\\s+from`).exec(text) ?? [];
  const parameter = selected.split(", ")[columns.split(", ").indexOf(column)];
  return values[Number(parameter?.slice(1)) - 1];
}

/** Returns the JSON texts among the parameters, with the placeholder replaced as the statement replaces it. */
function documents({ values }: ReturnType<typeof insertOrder>) {
  const texts = values.filter((value) => typeof value === "string") as string[];
  const pending = JSON.stringify(PENDING);
  const time = '"2026-08-20T09:30:00.000Z"';
  const members = `"1001","createdAt":${time},"updatedAt":${time}`;
  const find = (start: string) => texts.find((text) => text.startsWith(start))?.replaceAll(pending, members);
  return { event: find('{"order":'), response: find('{"status":201') };
}

describe("the statement that inserts an order", () => {
  test("numbers its parameters from $1 without gaps, with one value for each", () => {
    const { text, values } = insertOrder(newOrder({}));
    const numbers = [...text.matchAll(/\$(\d+)/g)].map(([, number]) => Number(number));
    expect([...new Set(numbers)].sort((a, b) => a - b)).toEqual(values.map((_, index) => index + 1));
  });

  test("has the same text for every order, so that Postgres prepares it once", () => {
    const one = insertOrder(newOrder({}));
    const items = Array.from({ length: 9 }, () => ({ sku: "B", name: "Cup" }));
    const other = insertOrder(newOrder({ orderNumber: "WEB-1", items }, { hasKey: false }));
    expect(one.text).toBe(other.text);
  });

  test("inserts each value into its column", () => {
    const order = newOrder({
      shippingTotal: 4.5,
      discountTotal: 1,
      internalNote: "call",
      propertyId: "shop",
    });
    const statement = insertOrder(order);
    const expected = {
      id: order.id,
      tenant_id: cause.principal.tenantId,
      customer_id: order.priced.input.customerId,
      subtotal: "20.0000",
      shipping_total: "4.5000",
      discount_total: "1.0000",
      total: "23.5000",
      property_id: "shop",
      internal_note: "call",
      metadata: null,
    };
    for (const [column, value] of Object.entries(expected)) {
      expect([column, parameterOf("orders", column, statement)]).toEqual([column, value]);
    }
  });

  test("completes the event and the recorded response with the number and the time", () => {
    const order = newOrder({ internalNote: "call before" });
    const shown = {
      id: order.id,
      orderNumber: "1001",
      createdAt: "2026-08-20T09:30:00.000Z",
      updatedAt: "2026-08-20T09:30:00.000Z",
      ...JSON.parse(JSON.stringify(order.resource)),
    };
    const { event, response } = documents(insertOrder(order));
    expect(JSON.parse(event ?? "")).toEqual({ order: shown });
    expect(JSON.parse(response ?? "")).toEqual({
      status: 201,
      headers: { etag: '"1"', location: `/v1/orders/${order.id}` },
      body: { success: true, data: { ...shown, internalNote: "call before" } },
    });
    expect(shownInEvents({ ...shown, internalNote: "call before" })).toEqual(shown);
  });

  test("does not replace what the caller supplies, even where it looks like the placeholder", () => {
    const metadata = { orderNumber: newPlaceholder() };
    const received = new ReceivedJson(JSON.stringify(metadata), metadata);
    const { event } = documents(insertOrder(newOrder({ metadata: received })));
    expect((parseJson(event ?? "") as { order: { metadata: unknown } }).order.metadata).toEqual(metadata);
  });

  test("records no response without an Idempotency-Key, and none for an order of an import", () => {
    expect(documents(insertOrder(newOrder({}, { hasKey: false }))).response).toBeUndefined();
    expect(documents(insertOrder(newOrder({}, { recordsResponse: false }))).response).toBeUndefined();
  });
});
