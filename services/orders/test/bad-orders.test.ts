// Each invalid order is refused with the exact error, and leaves no row, no event and no gap in the order numbers.

import { randomUUID } from "node:crypto";
import { invalidFields } from "@tradepost/testing";
import { line, sharedTestOrders } from "./support/test-orders.ts";

type Body = Record<string, unknown>;

const orders = await sharedTestOrders();
const [shop, stranger] = [await orders.openShop(), await orders.openShop()];

describe("a bad order", () => {
  /** The number of valid orders so far, which determines the next order number. */
  let placedCount = 0;
  beforeAll(placeGoodOrder);

  const place = (differing?: Body) => shop.place(JSON.stringify(shop.order(differing)));

  async function placeGoodOrder(): Promise<void> {
    const { status, body } = await place();
    expect([status, body.data?.orderNumber]).toEqual([201, String(1001 + placedCount)]);
    placedCount += 1;
  }

  async function expectNothingPlaced() {
    expect(await shop.count("orders")).toBe(placedCount);
    await placeGoodOrder();
  }

  test.each<[string, Body, number, string]>([
    ["of a customer whose id is not a UUID", { customerId: "ada" }, 404, "not_found"],
    ["of a customer with an empty id", { customerId: "" }, 404, "not_found"],
    ["of an unknown customer", { customerId: randomUUID() }, 404, "not_found"],
    ["of another tenant's customer", { customerId: stranger.customerId }, 404, "not_found"],
    ["with a number that exists", { orderNumber: "1001" }, 409, "order_number_taken"],
  ])("%s is refused", async (_what, differing, expected, code) => {
    const { status, body } = await place(differing);
    expect([status, body.error.code]).toEqual([expected, code]);
    await expectNothingPlaced();
  });

  test.each<[string, Body, string]>([
    ["without a customer", { customerId: undefined }, "customerId"],
    ["whose customerId is a number", { customerId: 7 }, "customerId"],
    ["without items", { items: undefined }, "items"],
    ["with no items", { items: [] }, "items"],
    ["with 501 items", { items: Array(501).fill(line()) }, "items"],
    ["whose items are an object", { items: { 0: line() } }, "items"],
    ["with null for a line", { items: [line(), null] }, "items[1]"],
    ["without a sku", { items: [line(), { name: "Mug" }] }, "items[1].sku"],
    ["with an empty sku and no name", { items: [{ sku: " " }] }, "items[0].name items[0].sku"],
    ["of quantity 0", { items: [line({ quantity: 0 })] }, "items[0].quantity"],
    ["of quantity -1", { items: [line({ quantity: -1 })] }, "items[0].quantity"],
    ["of quantity 1.5", { items: [line({ quantity: 1.5 })] }, "items[0].quantity"],
    ['of quantity "2"', { items: [line({ quantity: "2" })] }, "items[0].quantity"],
    ["of sku null", { items: [line({ sku: null })] }, "items[0].sku"],
    ["of too large a quantity", { items: [line({ unitPrice: 0, quantity: 1e15 })] }, "items[0].quantity"],
    ["of a product that is no UUID", { items: [line({ productId: "mug" })] }, "items[0].productId"],
    [
      "with unknown fields",
      { tenantId: "x", total: 1, items: [line({ subtotal: 1 })] },
      "items[0].subtotal tenantId total",
    ],
    ["by an unknown channel", { channel: "phone" }, "channel"],
    ["in an unknown currency", { currency: "ABC" }, "currency"],
    ["of 3 decimals in USD", { shippingTotal: 1.005, taxTotal: 0.001 }, "shippingTotal taxTotal"],
    ["of 1 decimal in JPY", { currency: "JPY", discountTotal: 0.5 }, "discountTotal"],
    [
      "with 4 decimals in KWD",
      { currency: "KWD", items: [line({ taxAmount: 0.0001 })] },
      "items[0].taxAmount",
    ],
    ["of a unit price of 5 decimals", { items: [line({ unitPrice: 0.00001 })] }, "items[0].unitPrice"],
    [
      "with negative amounts",
      {
        shippingTotal: -1,
        discountTotal: -0.01,
        taxTotal: -1,
        items: [line({ unitPrice: -5, taxAmount: -1 })],
      },
      "discountTotal items[0].taxAmount items[0].unitPrice shippingTotal taxTotal",
    ],
    [
      "with amounts in quotes",
      { shippingTotal: "1", items: [line({ unitPrice: "5" })] },
      "items[0].unitPrice shippingTotal",
    ],
    ["of more than the largest amount", { shippingTotal: 100_000_000_000 }, "shippingTotal"],
    ["whose metadata is a list", { metadata: [] }, "metadata"],
    ["whose metadata is text", { metadata: "{}" }, "metadata"],
    ["to an address without a city", { shippingAddress: { line1: "1 Quay" } }, "shippingAddress.city"],
    ["to an address that is a list", { billingAddress: [] }, "billingAddress"],
    [
      "with a NUL character",
      { items: [line({ sku: "A\u0000" })], customerNote: "\u0000" },
      "customerNote items[0].sku",
    ],
    [
      "with half a surrogate pair",
      { customerNote: "\ud800", shippingAddress: { line1: "\udc00", city: "\u0000" } },
      "customerNote shippingAddress.city shippingAddress.line1",
    ],
    ["with a NUL character in an unknown name", { "a\u0000": 1 }, "a\u0000 a\u0000"],
    ["with an empty number", { orderNumber: "" }, "orderNumber"],
    ["with a blank before its number", { orderNumber: " 77" }, "orderNumber"],
    ["with a blank after its number", { orderNumber: "77 " }, "orderNumber"],
    ["with another blank before its number", { orderNumber: "\u00a077" }, "orderNumber"],
    ["with an empty externalId", { externalId: "" }, "externalId"],
    ["with a blank externalId", { externalId: " " }, "externalId"],
    ["whose externalId is a number", { externalId: 7 }, "externalId"],
    ["with an externalId of 256 characters", { externalId: "x".repeat(256) }, "externalId"],
    ["with a NUL character in its externalId", { externalId: "a\u0000" }, "externalId"],
    ["of a negative expectedTotal", { expectedTotal: -1 }, "expectedTotal"],
    ["whose expectedTotal is in quotes", { expectedTotal: "20" }, "expectedTotal"],
    ["of an expectedTotal of 5 decimals", { expectedTotal: 0.00001 }, "expectedTotal"],
  ])("%s is 422 and names every field at fault", async (_what, differing, fields) => {
    expect(invalidFields(await place(differing))).toBe(fields);
    await expectNothingPlaced();
  });

  test.each([
    ["a number beyond every double", '"shippingTotal":1e400'],
    ["an amount of more digits than a double has", '"shippingTotal":1.00000000000000000001'],
    [
      "a quantity of more digits than a double has",
      '"items":[{"sku":"a","name":"a","quantity":1.00000000000000000001}]',
    ],
    ["900,000 faults at once", `"items":[${"0,".repeat(900_000)}0]`],
  ])("%s is 422, never a 5xx", async (_what, fields) => {
    const { status, body } = await shop.place(`{"customerId":"${shop.customerId}",${fields}}`);
    expect([status, body.error.code]).toEqual([422, "validation_error"]);
    await expectNothingPlaced();
  });

  test("is 422 before 404 of its customer, and that comes before 409 of its number", async () => {
    const taken = { customerId: randomUUID(), orderNumber: "1001" };
    expect(invalidFields(await place({ ...taken, items: [line({ quantity: 0 })] }))).toBe(
      "items[0].quantity",
    );
    expect(invalidFields(await place({ ...taken, discountTotal: 11 }))).toBe("discountTotal");
    const { status, body } = await place(taken);
    expect([status, body.error.code]).toEqual([404, "not_found"]);
    await expectNothingPlaced();
  });

  test("has no event", async () => {
    expect(await shop.published(placedCount)).toHaveLength(placedCount);
  });
});
