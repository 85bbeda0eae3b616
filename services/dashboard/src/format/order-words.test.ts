import { expect, test } from "@jest/globals";
import { isUnpaid, paymentWording } from "./order-words.ts";

test.each([
  ["unpaid", 10, true],
  ["failed", 10, true],
  ["partially_paid", 4, true],
  ["paid", 0, false],
  ["partially_refunded", 0, false],
] as const)("an order that is %s, with %d due, has isUnpaid %j", (paymentStatus, amountDue, expected) => {
  expect(isUnpaid({ paymentStatus, amountDue })).toBe(expected);
});

test("the payment of a cancelled order needs nobody’s attention", () => {
  expect(paymentWording({ status: "placed", paymentStatus: "unpaid" }).tone).toBe("warning");
  expect(paymentWording({ status: "cancelled", paymentStatus: "unpaid" })).toEqual({
    text: "Unpaid",
    tone: "quiet",
  });
  expect(paymentWording({ status: "cancelled", paymentStatus: "failed" }).tone).toBe("quiet");
});

test("a free order is not unpaid", () => {
  expect(isUnpaid({ paymentStatus: "unpaid", amountDue: 0 })).toBe(false);
});
