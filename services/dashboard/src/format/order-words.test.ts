import { isUnpaid, missingActions, type OrderState, paymentWording } from "./order-words.ts";

test.each([
  ["unpaid", 10, true],
  ["failed", 10, true],
  ["partially_paid", 4, true],
  ["paid", 0, false],
  ["partially_refunded", 0, false],
  // A free order.
  ["unpaid", 0, false],
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

test("says why an action is not possible", () => {
  const missing = (order: Partial<OrderState>) =>
    missingActions({
      status: "placed",
      paymentStatus: "paid",
      fulfillment: "none",
      allowedActions: [],
      ...order,
    }).map(({ action, reason }) => `${action}: ${reason}`);
  expect(missing({ allowedActions: ["fulfill", "refund", "cancel_and_refund"] })).toEqual([
    "payments: paid",
    "cancel: paid; “Cancel and refund” does both",
  ]);
  expect(missing({ fulfillment: "part", allowedActions: ["fulfill", "refund"] })).toContain(
    "cancel: a part is shipped; refund what comes back",
  );
  expect(
    missing({ status: "fulfilled", paymentStatus: "unpaid", allowedActions: ["payments", "deliver"] }),
  ).toEqual([
    "fulfill: all is shipped",
    "cancel: it is shipped; refund what comes back",
    "refund: nothing is paid",
  ]);
  expect(missing({ status: "cancelled" })).toEqual([]);
});
