// Amounts are exact: the response, the order read again, the database, the event and an independent computation agree to the last
// digit. Only the amount due is rounded.
import { until } from "@tradepost/testing";
import fc from "fast-check";
import { ownTestOrders } from "./support/test-orders.ts";

const MINOR_DIGITS = { USD: 2, EUR: 2, JPY: 0, KWD: 3, CLF: 4 } as const;
const PROPERTY_RUNS = 40;

interface Line {
  readonly quantity: number;
  /** In ten-thousandths, like `tax`. */
  readonly unitPrice: bigint;
  readonly tax: bigint | undefined;
}

const orders = await ownTestOrders();
const shop = await orders.openShop();

describe("the amounts of an order", () => {
  const eventOf = (id: string) =>
    until("the event of the order", () =>
      orders.messages.map(({ content }) => content.toString()).find((text) => text.includes(id)),
    );
  const storedAmounts = (id: string) =>
    orders.db
      .selectFrom("orders")
      .select(["subtotal", "shipping_total", "discount_total", "tax_total", "total"])
      .where("id", "=", id)
      .executeTakeFirstOrThrow();
  const storedLines = (id: string) =>
    orders.db
      .selectFrom("order_lines")
      .select(["quantity", "unit_price", "subtotal", "tax_amount"])
      .where("order_id", "=", id)
      .orderBy("position")
      .execute();
  /** Places an order from the JSON text of its body, and checks the amounts in the response digit for digit. */
  const expectAmounts = async (body: string, amounts: Record<string, string>) => {
    const { status, body: response, text } = await shop.place(`{"customerId":"${shop.customerId}",${body}}`);
    expect([status, response.error]).toEqual([201, undefined]);
    const { text: readAgain } = await shop.client.get(`/v1/orders/${response.data.id}`);
    // The lines are left out, because they have a subtotal too.
    for (const shown of [text, readAgain]) {
      const header = shown.replace(/"items":\[[^\]]*\]/, "");
      for (const [name, value] of Object.entries(amounts)) expect(header).toMatch(`"${name}":${value},`);
    }
    return response.data;
  };

  test.each([
    [
      "accepts amounts in other notations",
      '"items":[{"sku":"a","name":"a","quantity":1e1,"unitPrice":1.50e1}],"shippingTotal":2.0,"taxTotal":-0',
      { subtotal: "150", shippingTotal: "2", taxTotal: "0", total: "152" },
    ],
    [
      "uses 1 as the default quantity and 0 as the default unitPrice",
      '"items":[{"sku":"a","name":"a"}]',
      { subtotal: "0", shippingTotal: "0", discountTotal: "0", taxTotal: "0", total: "0" },
    ],
  ])("%s", async (_what, body, amounts) => void (await expectAmounts(body, amounts)));

  test("are refused as texts, and with the digits of a float, by a message that says what to do", async () => {
    const line = (amounts: object) => ({ sku: "a", name: "a", ...amounts });
    const refused = await shop.client.post("/v1/orders", {
      customerId: shop.customerId,
      items: [
        line({ unitPrice: "10.00" }),
        line({ unitPrice: 1.1 * 3, taxAmount: 0.1 * 3 }),
        line({ taxAmount: 0.005 }),
      ],
      shippingTotal: "1",
    });
    const isText = "must be a number, not a string: send 10.00 without quotation marks";
    expect(refused.body.error.details).toEqual([
      { path: "items[0].unitPrice", message: isText },
      { path: "items[1].unitPrice", message: "must have at most 4 decimals: round it before you send it" },
      { path: "items[1].taxAmount", message: "must have at most 2 decimals: round it before you send it" },
      { path: "items[2].taxAmount", message: "must have at most 2 decimals" },
      { path: "shippingTotal", message: isText },
    ]);
    const { id } = await expectAmounts('"items":[{"sku":"a","name":"a","unitPrice":5}]', { total: "5" });
    const payment = { status: "succeeded", amount: "5.00" };
    const { body } = await shop.client.post(`/v1/orders/${id}/payments`, payment);
    expect(body.error.details).toEqual([{ path: "amount", message: isText }]);
  });

  test("let the largest total be paid, rounded up to the minor unit, and refunded", async () => {
    const body = '"items":[{"sku":"a","name":"a","unitPrice":99999999999.9999}]';
    const { id } = await expectAmounts(body, { total: "99999999999.9999" });
    for (const [action, field] of [
      ["payments", "paidTotal"],
      ["refund", "refundedTotal"],
    ]) {
      const { body: response } = await shop.client.post(`/v1/orders/${id}/${action}`, {
        ...(action === "payments" && { status: "succeeded" }),
      });
      expect([action, response.data?.[String(field)]]).toEqual([action, 100_000_000_000]);
    }
  });

  test("of any valid order equal those computed in ten-thousandths", async () => {
    await fc.assert(
      fc.asyncProperty(validOrder, async (order) => {
        const lines = order.lines.map((line) => ({
          ...line,
          subtotal: BigInt(line.quantity) * line.unitPrice,
        }));
        const subtotal = lines.reduce((sum, line) => sum + line.subtotal, 0n);
        const taxTotal = order.taxTotal ?? lines.reduce((sum, line) => sum + (line.tax ?? 0n), 0n);
        // The generated percentage of the rest, rounded down to the minor unit.
        const minorUnit = 10n ** BigInt(4 - MINOR_DIGITS[order.currency]);
        const rest = subtotal + order.shippingTotal + taxTotal;
        const discountTotal = ((rest * BigInt(order.discountPercent)) / 100n / minorUnit) * minorUnit;
        const total = rest - discountTotal;
        const items = lines.map(({ quantity, unitPrice, tax }) => {
          const taxAmount = tax === undefined ? "" : `,"taxAmount":${decimal(tax)}`;
          return `{"sku":"s","name":"n","quantity":${quantity},"unitPrice":${decimal(unitPrice)}${taxAmount}}`;
        });
        const data = await expectAmounts(
          `"currency":"${order.currency}","items":[${items}],"shippingTotal":${decimal(order.shippingTotal)},` +
            `"discountTotal":${decimal(discountTotal)}` +
            (order.taxTotal === undefined ? "" : `,"taxTotal":${decimal(order.taxTotal)}`),
          { subtotal: shortest(subtotal), taxTotal: shortest(taxTotal), total: shortest(total) },
        );

        expect(await storedAmounts(data.id)).toEqual({
          subtotal: decimal(subtotal),
          shipping_total: decimal(order.shippingTotal),
          discount_total: decimal(discountTotal),
          tax_total: decimal(taxTotal),
          total: decimal(total),
        });
        expect(await storedLines(data.id)).toEqual(
          lines.map((line) => ({
            quantity: line.quantity,
            unit_price: decimal(line.unitPrice),
            subtotal: decimal(line.subtotal),
            tax_amount: decimal(line.tax ?? 0n),
          })),
        );
        expect(data.items.map((line: { subtotal: number }) => String(line.subtotal))).toEqual(
          lines.map((line) => shortest(line.subtotal)),
        );
        const published = JSON.parse(await eventOf(data.id)).data.order;
        expect(published).toEqual(data);

        const due = roundedHalfUp(total, order.currency);
        const paid = await shop.client.post(`/v1/orders/${data.id}/payments`, { status: "succeeded" });
        expect([paid.status, String(paid.body.data.paidTotal)]).toEqual([200, shortest(due)]);
        expect(paid.body.data.total).toBe(data.total);
      }),
      { numRuns: PROPERTY_RUNS },
    );
  });
});

const validOrder = fc
  .constantFrom(...(Object.keys(MINOR_DIGITS) as (keyof typeof MINOR_DIGITS)[]))
  .chain((currency) => {
    const minorUnit = 10n ** BigInt(4 - MINOR_DIGITS[currency]);
    const amount = fc.bigInt({ min: 0n, max: 10n ** 10n / minorUnit }).map((count) => count * minorUnit);
    const line: fc.Arbitrary<Line> = fc.record({
      quantity: fc.integer({ min: 1, max: 10_000 }),
      unitPrice: fc.oneof(fc.bigInt({ min: 0n, max: 99_999n }), fc.bigInt({ min: 0n, max: 10n ** 9n })),
      tax: fc.option(amount, { nil: undefined }),
    });
    return fc.record({
      currency: fc.constant(currency),
      lines: fc.array(line, { minLength: 1, maxLength: 8 }),
      shippingTotal: amount,
      taxTotal: fc.option(amount, { nil: undefined }),
      discountPercent: fc.integer({ min: 0, max: 100 }),
    });
  });

/** Writes 199900n as Postgres does: `19.9900`. */
function decimal(amount: bigint): string {
  const digits = String(amount).padStart(5, "0");
  return `${digits.slice(0, -4)}.${digits.slice(-4)}`;
}

/** Writes 199900n as JSON does: `19.99`. */
function shortest(amount: bigint): string {
  return decimal(amount).replace(/\.?0+$/, "");
}

/** Computes the amount due differently than the service does: from the digits that the currency lacks. */
function roundedHalfUp(amount: bigint, currency: keyof typeof MINOR_DIGITS): bigint {
  const minorUnit = 10n ** BigInt(4 - MINOR_DIGITS[currency]);
  const over = amount % minorUnit;
  return 2n * over >= minorUnit && over > 0n ? amount - over + minorUnit : amount - over;
}
