import { newId } from "@tradepost/runtime";
import { orderInput } from "./order-input.ts";
import { priceOrder } from "./price-order.ts";

const LARGEST = 99_999_999_999.9999;
const TOO_LARGE = "exceeds the largest amount, 99999999999.9999";
const LINE = { sku: "A-1", name: "Mug", quantity: 2, unitPrice: 10.0001 };

/** Prices an order in a currency with four decimals. */
function price(body: object) {
  return priceOrder(orderInput.parse({ customerId: newId(), currency: "CLF", items: [LINE], ...body }));
}

function faultsOf(body: object) {
  const priced = price(body);
  return "faults" in priced ? priced.faults : [];
}

describe("the price of an order", () => {
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
