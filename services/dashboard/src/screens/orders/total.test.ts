import { expect, test } from "@jest/globals";
import type { DataOf } from "@tradepost/client/operations";
import { leftToRefund, lineTotal, totalsOf } from "./total.ts";

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
