import { expect, test } from "@jest/globals";
import { isUnpaid } from "./order-words.ts";

test.each([
  ["unpaid", 10, true],
  ["failed", 10, true],
  ["paid", 0, false],
  ["partially_refunded", 0, false],
] as const)("an order that is %s, with %d due, has isUnpaid %j", (paymentStatus, amountDue, expected) => {
  expect(isUnpaid({ paymentStatus, amountDue })).toBe(expected);
});

test("a free order is not unpaid", () => {
  expect(isUnpaid({ paymentStatus: "unpaid", amountDue: 0 })).toBe(false);
});
