// Each action in each state of an order: the transition, or the refusal. `test/lifecycle.test.ts` shows the same through the API.
import { describe, expect, test } from "@jest/globals";
import { ApiError } from "@tradepost/http";
import type { Action } from "./action-input.ts";
import { decide, derivedFields, isRecorded, type OrderState, stateOf } from "./lifecycle.ts";

const UNPAID: OrderState = {
  ...{ status: "placed", paymentStatus: "unpaid", currency: "EUR" },
  ...{ total: 10.005, paidTotal: 0, refundedTotal: 0 },
};
const PAID: OrderState = { ...UNPAID, paymentStatus: "paid", paidTotal: 10.01 };
const STATES = {
  unpaid: UNPAID,
  failed: { ...UNPAID, paymentStatus: "failed" },
  paid: PAID,
  "partially refunded": { ...PAID, paymentStatus: "partially_refunded", refundedTotal: 4 },
  refunded: { ...PAID, paymentStatus: "refunded", refundedTotal: 10.01 },
  "fulfilled and unpaid": { ...UNPAID, status: "fulfilled" },
  "fulfilled and paid": { ...PAID, status: "fulfilled" },
  "delivered and paid": { ...PAID, status: "delivered" },
  "delivered and unpaid": { ...UNPAID, status: "delivered" },
  cancelled: { ...UNPAID, status: "cancelled" },
  "cancelled after a refund": {
    ...{ ...PAID, status: "cancelled", paymentStatus: "refunded", refundedTotal: 10.01 },
  },
  free: { ...UNPAID, paymentStatus: "paid", total: 0 },
  "paid with the least amount": {
    ...{ ...UNPAID, currency: "CLF", paymentStatus: "paid", total: 0.0001, paidTotal: 0.0001 },
  },
} as const satisfies Record<string, OrderState>;
type StateName = keyof typeof STATES;

// The type of its body has no fields at all, not even the name.
const DELIVER = { name: "deliver" } as Action;
const ACTIONS = {
  pay: { name: "payments", status: "succeeded" },
  fail: { name: "payments", status: "failed" },
  fulfill: { name: "fulfill" },
  deliver: DELIVER,
  cancel: { name: "cancel" },
  refund: { name: "refund" },
} as const satisfies Record<string, Action>;

const DONE = {
  pay: "order.paid",
  fail: "order.payment_failed",
  fulfill: "order.fulfilled",
  deliver: "order.delivered",
  cancel: "order.cancelled",
  refund: "order.refunded",
};
const [PAID_ALREADY, CANCELLED, INVALID] = ["order_already_paid", "order_cancelled", "invalid_transition"];
const [HELD, UNPAID_YET, NOTHING] = ["refund_required", "order_not_paid", "nothing_to_refund"];

// The event of each action, or its refusal: pay, fail, fulfill, deliver, cancel, refund.
// biome-ignore format: a table is read by its columns.
const OUTCOMES: Record<StateName, (string | true)[]> = {
  unpaid:                     [true,         true,         true,    INVALID, true,    UNPAID_YET],
  failed:                     [true,         true,         true,    INVALID, true,    UNPAID_YET],
  paid:                       [PAID_ALREADY, PAID_ALREADY, true,    INVALID, HELD,    true],
  "partially refunded":       [PAID_ALREADY, PAID_ALREADY, true,    INVALID, HELD,    true],
  refunded:                   [PAID_ALREADY, PAID_ALREADY, INVALID, INVALID, true,    NOTHING],
  "fulfilled and unpaid":     [true,         true,         INVALID, true,    INVALID, UNPAID_YET],
  "fulfilled and paid":       [PAID_ALREADY, PAID_ALREADY, INVALID, true,    INVALID, true],
  "delivered and paid":       [PAID_ALREADY, PAID_ALREADY, INVALID, INVALID, INVALID, true],
  "delivered and unpaid":     [true,         true,         INVALID, INVALID, INVALID, UNPAID_YET],
  cancelled:                  [CANCELLED,    CANCELLED,    INVALID, INVALID, INVALID, UNPAID_YET],
  "cancelled after a refund": [CANCELLED,    CANCELLED,    INVALID, INVALID, INVALID, NOTHING],
  free:                       [PAID_ALREADY, PAID_ALREADY, true,    INVALID, true,    NOTHING],
  "paid with the least amount": [PAID_ALREADY, PAID_ALREADY, true, INVALID, HELD,    true],
};

describe("an order", () => {
  test.each(Object.keys(STATES) as StateName[])(
    "that is %s allows exactly the actions of its row",
    (name) => {
      const order = STATES[name];
      const outcomes = Object.entries(ACTIONS).map(([key, action]) => {
        const outcome = refusalOf(() => decide(order, action)) ?? decide(order, action).event;
        return outcome === DONE[key as keyof typeof DONE] ? true : outcome;
      });
      expect(outcomes).toEqual(OUTCOMES[name]);
      const allowed = Object.values(ACTIONS).filter((_, index) => OUTCOMES[name][index] === true);
      expect(derivedFields(order).allowedActions).toEqual([...new Set(allowed.map((action) => action.name))]);
    },
  );

  test("is paid with the total, rounded half up to the currency's decimals", () => {
    const payment = { name: "payments", status: "succeeded", reference: "r" } as const;
    expect(decide(UNPAID, { ...payment, amount: 10.01 })).toEqual({
      event: "order.paid",
      changes: { paymentStatus: "paid", paidTotal: 10.01 },
      extra: { payment: { status: "succeeded", amount: 10.01, reference: "r" } },
    });
    expect(faultsOf(() => decide(UNPAID, { ...payment, amount: 10 }))).toEqual([
      { path: "amount", message: "must be the amount due, 10.01" },
    ]);
    expect(faultsOf(() => decide(UNPAID, { ...payment, amount: 10.005 }))).toEqual([
      { path: "amount", message: "must have at most 2 decimals in EUR" },
    ]);
    expect(faultsOf(() => decide({ ...UNPAID, currency: "JPY" }, { ...payment, amount: 10.5 }))).toEqual([
      { path: "amount", message: "must have no decimals in JPY" },
    ]);
    // Without a currency that has decimals, amounts have those of the database.
    expect(decide({ ...UNPAID, currency: "ABC" }, payment).changes.paidTotal).toBe(10.005);
    expect(faultsOf(() => decide({ ...UNPAID, currency: "ABC" }, { ...payment, amount: 0.00001 }))).toEqual([
      { path: "amount", message: "must have at most 4 decimals in ABC" },
    ]);
  });

  test("records a payment that failed, whatever its amount", () => {
    expect(decide(UNPAID, { name: "payments", status: "failed", amount: 3, reference: "r" })).toEqual({
      event: "order.payment_failed",
      changes: { paymentStatus: "failed" },
      extra: { payment: { status: "failed", amount: 3, reference: "r" } },
    });
  });

  test("is fulfilled with what is known of the parcel, delivered, or cancelled with a reason", () => {
    const parcel = { trackingNumber: "1Z", carrier: "UPS" };
    expect(decide(PAID, { name: "fulfill", ...parcel })).toEqual({
      event: "order.fulfilled",
      changes: { status: "fulfilled", ...parcel },
      extra: {},
    });
    expect(decide({ ...PAID, status: "fulfilled" }, DELIVER)).toEqual({
      event: "order.delivered",
      changes: { status: "delivered" },
      extra: {},
    });
    expect(decide(UNPAID, { name: "cancel", reason: "late" })).toEqual({
      event: "order.cancelled",
      changes: { status: "cancelled", cancelReason: "late" },
      extra: {},
    });
  });

  test("is refunded in parts, up to what was paid", () => {
    const part = { name: "refund", amount: 4, reason: "late", reference: "r" } as const;
    expect(decide(PAID, part)).toEqual({
      event: "order.refunded",
      changes: { paymentStatus: "partially_refunded", refundedTotal: 4 },
      extra: { refund: { amount: 4, reason: "late", reference: "r" } },
    });
    const rest = decide(STATES["partially refunded"], { name: "refund" });
    expect(rest.changes).toEqual({ paymentStatus: "refunded", refundedTotal: 10.01 });
    expect(decide(PAID, { name: "refund", amount: 10.01 }).changes.paymentStatus).toBe("refunded");
    expect(faultsOf(() => decide(STATES["partially refunded"], { name: "refund", amount: 6.02 }))).toEqual([
      { path: "amount", message: "must be at most 6.01, the amount not yet refunded" },
    ]);
    expect(faultsOf(() => decide(PAID, { name: "refund", amount: 0 }))).toEqual([
      { path: "amount", message: "must be more than 0" },
    ]);
  });

  test("says in a refusal what it is, and what it allows", () => {
    const refused = errorOf(() => decide(PAID, ACTIONS.deliver));
    expect(refused?.message).toBe("An order that is placed and paid cannot be delivered.");
    expect(refused?.extra).toEqual({ state: stateOf(PAID) });
    expect(stateOf(PAID)).toEqual({
      ...{ status: "placed", paymentStatus: "paid", allowedActions: ["fulfill", "refund"] },
    });
    const messages = [
      [STATES["fulfilled and paid"], ACTIONS.fulfill, "An order that is fulfilled cannot be fulfilled."],
      [STATES.cancelled, ACTIONS.cancel, "An order that is cancelled cannot be cancelled."],
      [STATES.cancelled, ACTIONS.pay, "The order is cancelled."],
      [PAID, ACTIONS.pay, "The order is already paid."],
      [PAID, ACTIONS.cancel, "Refund the order before you cancel it."],
      [UNPAID, ACTIONS.refund, "The order is not paid."],
      [STATES.refunded, ACTIONS.refund, "The whole payment is already refunded."],
    ] as const;
    for (const [order, action, message] of messages)
      expect(errorOf(() => decide(order, action))?.message).toBe(message);
  });

  test("shows what is due until it is paid or cancelled", () => {
    const due = { payableTotal: 10.01, amountDue: 10.01 };
    expect(derivedFields(UNPAID)).toMatchObject(due);
    expect(derivedFields(STATES.failed)).toMatchObject(due);
    for (const order of [PAID, STATES.cancelled, STATES["delivered and paid"]])
      expect(derivedFields(order)).toMatchObject({ ...due, amountDue: 0 });
  });
});

describe("a reference", () => {
  const payment = { name: "payments", status: "succeeded" } as const;
  const paid = [{ status: "succeeded", amount: 10.01 }];

  test.each<[string, Action, { status?: string; amount: number }[], boolean]>([
    ["nothing yet", payment, [], false],
    ["the same payment", { ...payment, amount: 10.01 }, paid, true],
    ["the same payment without its amount", payment, paid, true],
    ["a payment that failed before", payment, [{ status: "failed", amount: 10.01 }], false],
    ["the same refund", { name: "refund", amount: 4 }, [{ amount: 4 }], true],
    ["a refund without its amount", { name: "refund" }, [{ amount: 4 }], true],
    ["one of several payments", payment, [{ status: "failed", amount: 10.01 }, ...paid], true],
    ["an action that has none", DELIVER, [{ amount: 1 }], false],
  ])("names %s", (_, action, recorded, isRepetition) => {
    expect(isRecorded(UNPAID, action, recorded)).toBe(isRepetition);
  });

  test("of another amount is refused", () => {
    const other = errorOf(() => isRecorded(UNPAID, { ...payment, amount: 9 }, paid));
    expect(other?.code).toBe("reference_reused");
    expect(other?.message).toBe("A payment of another amount has this reference.");
    expect(other?.extra).toEqual({ state: stateOf(UNPAID) });
    const refund = errorOf(() => isRecorded(PAID, { name: "refund", amount: 3 }, [{ amount: 4 }]));
    expect(refund?.message).toBe("A refund of another amount has this reference.");
    const failed = [{ status: "failed", amount: 3 }];
    expect(refusalOf(() => isRecorded(UNPAID, payment, failed))).toBe("reference_reused");
  });
});

function errorOf(action: () => unknown): ApiError | undefined {
  try {
    action();
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
  return undefined;
}

function refusalOf(action: () => unknown): string | undefined {
  return errorOf(action)?.code;
}

function faultsOf(action: () => unknown) {
  return errorOf(action)?.details;
}
