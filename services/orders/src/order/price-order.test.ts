import { describe, expect, test } from "@jest/globals";
import { newId } from "@tradepost/runtime";
import { orderInput } from "./order-input.ts";
import { type PricedOrder, priceOrder } from "./price-order.ts";
import { shownSummary } from "./tax-summary.ts";

const LARGEST = 99_999_999_999.9999;
const TOO_LARGE = "exceeds the largest amount, 99999999999.9999";
const LINE = { sku: "A-1", name: "Mug", quantity: 2, unitPrice: 10.0001 };

/** In a currency with four decimals. */
function price(body: object) {
  return priceOrder(orderInput.parse({ customerId: newId(), currency: "CLF", items: [LINE], ...body }));
}

function faultsOf(body: object) {
  const priced = price(body);
  return "faults" in priced ? priced.faults : [];
}

describe("the price of an order", () => {
  test("is the sum of its lines, shipping and taxes without the discount, and nothing is rounded", () => {
    const items = [LINE, { ...LINE, quantity: 3, unitPrice: 0.5, taxAmount: 0.07 }];
    const priced = price({ items, shippingTotal: 4.5, discountTotal: 1.25 }) as PricedOrder;
    expect(priced).toMatchObject({
      ...{ subtotal: 215_002n, shippingTotal: 45_000n, taxTotal: 700n, discountTotal: 12_500n },
      ...{ total: 248_202n, taxSummary: [] },
    });
    expect(priced.lines).toMatchObject([
      { unitPrice: 100_001n, subtotal: 200_002n, taxAmount: 0n },
      { unitPrice: 5_000n, subtotal: 15_000n, taxAmount: 700n },
    ]);
    expect(priced.lines.map(({ input }) => input)).toEqual(priced.input.items);
  });

  test("has the taxes that the body names in place of those of its lines", () => {
    const items = [{ ...LINE, taxAmount: 3 }];
    expect(price({ items, taxTotal: 2 })).toMatchObject({ taxTotal: 20_000n, total: 220_002n });
  });

  test("sums taxes by name and rate, in the order in which they first occur", () => {
    const vat = { name: "VAT", rate: 20, amount: 1.5 };
    const local = { name: "Local", rate: 20, amount: 0.0001 };
    const items = [
      { ...LINE, taxAmount: 1.5001, taxLines: [vat, local] },
      { ...LINE, taxAmount: 3, taxLines: [vat, { ...vat, rate: 10 }] },
    ];
    const { taxSummary } = price({ items }) as PricedOrder;
    expect(shownSummary(taxSummary)).toEqual([
      { name: "VAT", rate: 20, amount: 3 },
      { name: "Local", rate: 20, amount: 0.0001 },
      { name: "VAT", rate: 10, amount: 1.5 },
    ]);
    expect(shownSummary([])).toBeUndefined();
  });

  test("is refused if the taxes of a line do not sum to its tax", () => {
    const taxLines = [{ name: "VAT", rate: 20, amount: 1 }];
    expect(faultsOf({ items: [LINE, { ...LINE, taxAmount: 1.5, taxLines }] })).toEqual([
      { path: "items[1].taxLines", message: "must have amounts that sum to taxAmount, 1.5" },
    ]);
  });

  test("may be nothing, but not less", () => {
    expect(price({ discountTotal: 20.0002 })).toMatchObject({ total: 0n });
    expect(faultsOf({ discountTotal: 20.0003 })).toEqual([
      { path: "discountTotal", message: "must not exceed the sum of the other amounts" },
    ]);
  });

  test("is refused with each amount that is too large", () => {
    const largest = { ...LINE, quantity: 1, unitPrice: LARGEST };
    expect(faultsOf({ items: [largest] })).toEqual([]);
    expect(faultsOf({ items: [largest], shippingTotal: 0.0001 })).toEqual([
      { path: "total", message: TOO_LARGE },
    ]);
    expect(faultsOf({ items: [LINE, { ...largest, quantity: 2 }] }).map(({ path }) => path)).toEqual([
      ...["items[1].subtotal", "subtotal", "total"],
    ]);
    const taxed = (name: string) => ({
      ...{ ...LINE, unitPrice: 0, taxAmount: LARGEST },
      taxLines: [{ name, rate: 1, amount: LARGEST }],
    });
    const items = ["VAT", "VAT", "Local", "Local"].map(taxed);
    expect(faultsOf({ items }).map(({ path }) => path)).toEqual(["taxTotal", "taxSummary", "total"]);
  });
});
