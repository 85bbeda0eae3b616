// Generated bodies are accepted or refused with a 4xx; none causes a 5xx.
import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import { sharedTestOrders } from "./support/test-orders.ts";

const RUNS = 300;

const orders = await sharedTestOrders();
const shop = await orders.openShop();

describe("an arbitrary body", () => {
  const FIELDS =
    "currency channel propertyId shippingTotal discountTotal taxTotal shippingAddress billingAddress customerNote internalNote orderNumber metadata".split(
      " ",
    );
  const LINE_FIELDS = ["quantity", "unitPrice", "taxAmount", "productId", "variantId", "description"];

  const anything = fc.oneof(
    fc.jsonValue({ maxDepth: 3 }),
    fc.double({ noNaN: true }),
    fc.string({ unit: "binary" }),
    fc.constantFrom(...[0, -0, 1e-7, 1e21, 99_999_999_999.9999, 2 ** 53]),
    fc.constantFrom(...["USD", "JPY", "\u0000", "\ud800", "9".repeat(70)]),
    fc.record({ line1: fc.string(), city: fc.string({ unit: "grapheme" }), more: fc.jsonValue() }),
  );
  const someOf = (names: string[]) => fc.dictionary(fc.constantFrom(...names), anything, { maxKeys: 2 });
  const order = fc.record({
    more: someOf(FIELDS),
    lines: fc.array(someOf(LINE_FIELDS), { minLength: 1, maxLength: 3 }),
  });

  test("is refused with a 4xx, or becomes an order that reads back as in the response", async () => {
    await fc.assert(
      fc.asyncProperty(order, async ({ more, lines }) => {
        const items = lines.map((line) => ({ sku: "A-1", name: "Mug", ...line }));
        const { status, body } = await shop.client.post("/v1/orders", {
          customerId: shop.customerId,
          items,
          ...more,
        });
        expect([201, 409, 422]).toContain(status);
        if (status === 201) expect((await shop.client.get(`/v1/orders/${body.data.id}`)).body).toEqual(body);
      }),
      { numRuns: RUNS },
    );
  });

  test("is refused with a 4xx, or becomes a customer that reads back as in the response", async () => {
    const fields = ["name", "email", "phone", "externalId", "metadata"];
    await fc.assert(
      fc.asyncProperty(someOf(fields), async (more) => {
        const { status, body } = await shop.client.post("/v1/customers", { name: "Ada", ...more });
        expect([201, 409, 422]).toContain(status);
        if (status === 201)
          expect((await shop.client.get(`/v1/customers/${body.data.id}`)).body).toEqual(body);
      }),
      { numRuns: RUNS },
    );
  });
});
