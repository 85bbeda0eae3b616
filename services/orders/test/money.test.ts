// Money to the last digit: what is answered, what is read again, what stands in the database, what the event tells and
// what an independent computation in whole ten-thousandths says are the same; only the amount due is rounded.
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { captureMessages, until } from "@tradepost/testing";
import fc from "fast-check";
import { startTestOrders, type TestOrders, type TestShop } from "./support/test-orders.ts";

const MINOR_DIGITS = { USD: 2, EUR: 2, JPY: 0, KWD: 3, CLF: 4 } as const;
const PROPERTY_RUNS = 40;

interface Line {
  readonly quantity: number;
  /** Both in ten-thousandths. */
  readonly unitPrice: bigint;
  readonly tax: bigint | undefined;
}

describe("the amounts of an order", () => {
  let orders: TestOrders;
  let shop: TestShop;
  let captured: Awaited<ReturnType<typeof captureMessages>>;

  beforeAll(async () => {
    orders = await startTestOrders();
    shop = await orders.openShop();
    captured = await captureMessages(orders.amqpUrl, "order.placed");
  });
  afterAll(async () => {
    await captured.stop();
    await orders.stop();
  });

  const eventOf = (id: string) =>
    until("the event of the order", () =>
      captured.messages.map(({ content }) => content.toString()).find((text) => text.includes(id)),
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
  /** The body without its customer, as JSON text; what the answer must contain, digit for digit. */
  const expectAmounts = async (body: string, amounts: Record<string, string>) => {
    const { status, body: answer, text } = await shop.place(`{"customerId":"${shop.customerId}",${body}}`);
    expect([status, answer.error]).toEqual([201, undefined]);
    const { text: readAgain } = await shop.client.get(`/v1/orders/${answer.data.id}`);
    // The lines have a subtotal too: the order's own fields come after or before them.
    for (const shown of [text, readAgain]) {
      const header = shown.replace(/"items":\[[^\]]*\]/, "");
      for (const [name, value] of Object.entries(amounts)) expect(header).toMatch(`"${name}":${value},`);
    }
    return answer.data;
  };

  test.each([
    [
      "tenths that no double holds add up",
      '"items":[{"sku":"a","name":"a","unitPrice":0.1},{"sku":"b","name":"b","unitPrice":0.2}]',
      { subtotal: "0.3", total: "0.3", taxTotal: "0" },
    ],
    [
      "unit prices of four decimals are multiplied exactly",
      '"items":[{"sku":"a","name":"a","quantity":3,"unitPrice":1.0001},{"sku":"b","name":"b","quantity":1000,"unitPrice":0.0009}],"shippingTotal":0.01',
      { subtotal: "3.9003", total: "3.9103" },
    ],
    [
      "what differs by one cent from a double's sum",
      '"items":[{"sku":"a","name":"a","quantity":3,"unitPrice":1.1}],"shippingTotal":1.15,"discountTotal":0.05',
      { subtotal: "3.3", total: "4.4", discountTotal: "0.05" },
    ],
    [
      "the lines' taxAmounts are summed where taxTotal is not given",
      '"items":[{"sku":"a","name":"a","taxAmount":0.1},{"sku":"b","name":"b","taxAmount":0.2},{"sku":"c","name":"c"}]',
      { taxTotal: "0.3", total: "0.3" },
    ],
    [
      "a given taxTotal overrides the lines' taxAmounts, 0 too",
      '"items":[{"sku":"a","name":"a","unitPrice":10,"taxAmount":1.9}],"taxTotal":0',
      { taxTotal: "0", total: "10" },
    ],
    [
      "a yen has no decimals, its unit price may",
      '"currency":"JPY","items":[{"sku":"a","name":"a","quantity":3,"unitPrice":0.5}],"shippingTotal":100',
      { subtotal: "1.5", total: "101.5", shippingTotal: "100" },
    ],
    [
      "a dinar has three decimals",
      '"currency":"KWD","items":[{"sku":"a","name":"a","unitPrice":1.005}],"shippingTotal":0.125,"taxTotal":0.005',
      { subtotal: "1.005", total: "1.135" },
    ],
    [
      "the largest amount there is",
      '"items":[{"sku":"a","name":"a","unitPrice":99999999999.9999}]',
      { subtotal: "99999999999.9999", total: "99999999999.9999" },
    ],
    [
      "a discount of all there is",
      '"items":[{"sku":"a","name":"a","unitPrice":5}],"shippingTotal":2.5,"discountTotal":7.5',
      { total: "0" },
    ],
    [
      "amounts written in other ways",
      '"items":[{"sku":"a","name":"a","quantity":1e1,"unitPrice":1.50e1}],"shippingTotal":2.0,"taxTotal":-0',
      { subtotal: "150", shippingTotal: "2", taxTotal: "0", total: "152" },
    ],
    [
      "quantity defaults to 1 and unitPrice to 0",
      '"items":[{"sku":"a","name":"a"}]',
      { subtotal: "0", shippingTotal: "0", discountTotal: "0", taxTotal: "0", total: "0" },
    ],
  ])("%s", async (_what, body, amounts) => {
    const order = await expectAmounts(body, amounts);
    const stored = await storedAmounts(order.id);
    for (const [name, value] of Object.entries(amounts)) {
      const column = name.replace("Total", "_total") as keyof typeof stored;
      expect(stored[column]).toBe(decimal(units(value)));
    }
  });

  test("the largest total can be paid, rounded up to what can be paid, and refunded", async () => {
    const body = '"items":[{"sku":"a","name":"a","unitPrice":99999999999.9999}]';
    const { id } = await expectAmounts(body, { total: "99999999999.9999" });
    for (const [action, field] of [
      ["payments", "paidTotal"],
      ["refund", "refundedTotal"],
    ]) {
      const { body: answer } = await shop.client.post(`/v1/orders/${id}/${action}`, {
        ...(action === "payments" && { status: "succeeded" }),
      });
      expect([action, answer.data?.[String(field)]]).toEqual([action, 100_000_000_000]);
    }
  });

  test("of any valid order are what whole ten-thousandths come to", async () => {
    await fc.assert(
      fc.asyncProperty(validOrder, async (order) => {
        const lines = order.lines.map((line) => ({
          ...line,
          subtotal: BigInt(line.quantity) * line.unitPrice,
        }));
        const subtotal = lines.reduce((sum, line) => sum + line.subtotal, 0n);
        const taxTotal = order.taxTotal ?? lines.reduce((sum, line) => sum + (line.tax ?? 0n), 0n);
        // As much of the rest as was drawn, down to the minor unit.
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
        const told = JSON.parse(await eventOf(data.id)).data.order;
        expect(told).toEqual(data);

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

/** `19.99` as 199900n. */
function units(written: string): bigint {
  const [whole = "", fraction = ""] = written.split(".");
  return BigInt(whole + fraction.padEnd(4, "0"));
}

/** 199900n as Postgres writes it: `19.9900`. */
function decimal(amount: bigint): string {
  const digits = String(amount).padStart(5, "0");
  return `${digits.slice(0, -4)}.${digits.slice(-4)}`;
}

/** 199900n as JSON writes it: `19.99`. */
function shortest(amount: bigint): string {
  return decimal(amount).replace(/\.?0+$/, "");
}

/** The amount due, by another way than the product's: the last digits that the currency does not have decide. */
function roundedHalfUp(amount: bigint, currency: keyof typeof MINOR_DIGITS): bigint {
  const minorUnit = 10n ** BigInt(4 - MINOR_DIGITS[currency]);
  const over = amount % minorUnit;
  return 2n * over >= minorUnit && over > 0n ? amount - over + minorUnit : amount - over;
}
