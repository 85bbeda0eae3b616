import type { DataOf } from "@tradepost/client/operations";
import { leftToRefund, lineTotal, shareOf, totalsOf } from "./total.ts";

const NONE = { shippingTotal: "", discountTotal: "", taxTotal: "" };
const line = (quantity: string, unitPrice: string, taxAmount = "") => ({ quantity, unitPrice, taxAmount });

test("adds decimals exactly", () => {
  const lines = [line("3", "0.1", "0.1"), line("1", "0.2", "0.2"), line("7", "1.0005")];
  expect(totalsOf({ ...NONE, lines, shippingTotal: "4.50", discountTotal: "0.3" })).toEqual({
    subtotal: 7.5035,
    shippingTotal: 4.5,
    taxTotal: 0.3,
    discountTotal: 0.3,
    total: 12.0035,
  });
  expect(totalsOf({ ...NONE, lines: Array.from({ length: 10 }, () => line("1", "0.1")) }).total).toBe(1);
});

test("a tax of the whole order counts instead of that of the lines", () => {
  expect(totalsOf({ ...NONE, lines: [line("1", "10", "2")], taxTotal: "1.5" })).toMatchObject({
    taxTotal: 1.5,
    total: 11.5,
  });
});

test("what is not an amount yet counts as nothing", () => {
  expect(lineTotal(line("x", "10"))).toBe(0);
  expect(lineTotal(line("2", "1,50"))).toBe(3);
  expect(lineTotal(line("2", "1."))).toBe(2);
  expect(lineTotal(line("2147483647", "46.5661"))).toBe(99999938254.5667);
  expect(totalsOf({ ...NONE, lines: [], discountTotal: "5" }).total).toBe(-5);
});

test("what is left to refund is exact", () => {
  expect(leftToRefund({ paidTotal: 70.47, refundedTotal: 19.99 } as DataOf<"getOrder">)).toBe(50.48);
});

const refundable = (items: object[], currency = "EUR", paidTotal = 1_000) =>
  ({ currency, paidTotal, refundedTotal: 0, items }) as DataOf<"getOrder">;
const share = (order: DataOf<"getOrder">, ...units: number[]) =>
  shareOf(order, new Map(order.items.flatMap(({ id }, index) => (units[index] ? [[id, units[index]]] : []))));

test("a refund gives back the price of its units and their part of the tax, rounded half up", () => {
  const order = refundable([
    { id: "a", quantity: 3, unitPrice: 19.9, taxAmount: 11.35 },
    { id: "b", quantity: 7, unitPrice: 0.0625, taxAmount: 0 },
  ]);
  expect([share(order, 1), share(order, 3), share(order, 0, 2), share(order)]).toEqual([
    23.68, 71.05, 0.13, 0,
  ]);
  // 19.90 + 3.78333… + 0.0625 is rounded once.
  expect(share(order, 1, 1)).toBe(23.75);
  expect(share(refundable([{ id: "a", quantity: 2, unitPrice: 999, taxAmount: 1 }], "JPY"), 1)).toBe(1_000);
  expect(share(refundable([{ id: "a", quantity: 1, unitPrice: 1.5, taxAmount: 0.0005 }], "KWD"), 1)).toBe(
    1.501,
  );
});

test("a refund is at most what is left", () => {
  expect(share(refundable([{ id: "a", quantity: 1, unitPrice: 20, taxAmount: 0 }], "EUR", 5), 1)).toBe(5);
});
