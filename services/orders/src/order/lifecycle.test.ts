// Each action in each state of an order: the transition, or the refusal.
import { ApiError } from "@tradepost/http";
import fc from "fast-check";
import type { Action } from "./action-input.ts";
import { decide, derivedFields, isRecorded, stateOf } from "./lifecycle.ts";
import { linesToShip, SHIPMENTS_MAX } from "./shipments.ts";

const line = (id: string, quantity: number, more: object = {}) => ({
  ...{ id, quantity, sku: "a", name: "a", unitPrice: 5, subtotal: 5 * quantity, taxAmount: 0 },
  ...{ fulfilledQuantity: 0, refundedQuantity: 0, ...more },
});
const [ONE, TWO] = ["00000000-0000-4000-8000-000000000001", "00000000-0000-4000-8000-000000000002"];
const ITEMS = [
  line(ONE, 1, { unitPrice: 4.005, subtotal: 4.005 }),
  line(TWO, 3, { unitPrice: 1, taxAmount: 1 }),
];
type DecidedOrder = Parameters<typeof decide>[0];
const UNPAID: DecidedOrder = {
  ...{ status: "placed", paymentStatus: "unpaid", currency: "EUR", shipments: [], items: ITEMS },
  ...{ total: 10.005, paidTotal: 0, refundedTotal: 0 },
};
const PAID: DecidedOrder = { ...UNPAID, paymentStatus: "paid", paidTotal: 10.01 };
const PART_PAID: DecidedOrder = { ...UNPAID, paymentStatus: "partially_paid", paidTotal: 4 };
const PART_REFUNDED: DecidedOrder = { ...PAID, paymentStatus: "partially_refunded", refundedTotal: 4 };
const REFUNDED = { paymentStatus: "refunded", refundedTotal: 10.01 } as const;
const units = (lineId: string, quantity: number) => ({ lineId, quantity });
const shipment = (id: string, lines: ReturnType<typeof units>[]) => ({ id, lines, shippedAt: "earlier" });
const FIRST = shipment("s1", [units(TWO, 2)]);
const PARTLY_SHIPPED = {
  shipments: [FIRST],
  items: [ITEMS[0] ?? line(ONE, 1), line(TWO, 3, { unitPrice: 1, taxAmount: 1, fulfilledQuantity: 2 })],
};
const REST = shipment("s2", linesToShip(PARTLY_SHIPPED.items));
const SHIPPED = {
  status: "fulfilled",
  shipments: [FIRST, REST],
  items: ITEMS.map((one) => ({ ...one, fulfilledQuantity: one.quantity })),
} as const;
const DELIVERED = {
  ...SHIPPED,
  status: "delivered",
  shipments: SHIPPED.shipments.map((one) => ({ ...one, deliveredAt: "later" })),
} as const;
const STATES = {
  unpaid: UNPAID,
  failed: { ...UNPAID, paymentStatus: "failed" },
  "partially paid": PART_PAID,
  "partially paid and refunded": { ...PART_PAID, paymentStatus: "refunded", refundedTotal: 4 },
  paid: PAID,
  "partially refunded": PART_REFUNDED,
  refunded: { ...PAID, ...REFUNDED },
  "partly shipped": { ...UNPAID, ...PARTLY_SHIPPED },
  "paid and partly shipped": { ...PAID, ...PARTLY_SHIPPED },
  "partly shipped and refunded": { ...PAID, ...PARTLY_SHIPPED, ...REFUNDED },
  "partly delivered": { ...PAID, ...PARTLY_SHIPPED, shipments: [{ ...FIRST, deliveredAt: "later" }] },
  "fulfilled and unpaid": { ...UNPAID, ...SHIPPED },
  "fulfilled and partially paid": { ...PART_PAID, ...SHIPPED },
  "fulfilled and paid": { ...PAID, ...SHIPPED },
  "delivered and paid": { ...PAID, ...DELIVERED },
  "delivered and unpaid": { ...UNPAID, ...DELIVERED },
  cancelled: { ...UNPAID, status: "cancelled" },
  "cancelled after a refund": { ...PAID, status: "cancelled", ...REFUNDED },
  free: { ...UNPAID, paymentStatus: "paid", total: 0 },
  "paid with the least amount": { ...PAID, currency: "CLF", total: 0.0001, paidTotal: 0.0001 },
} as const satisfies Record<string, DecidedOrder>;
type StateName = keyof typeof STATES;

const ACTIONS = {
  pay: { name: "payments", status: "succeeded" },
  fail: { name: "payments", status: "failed" },
  fulfill: { name: "fulfill" },
  deliver: { name: "deliver" },
  cancel: { name: "cancel" },
  cancelAndRefund: { name: "cancel", refund: true },
  refund: { name: "refund" },
} as const satisfies Record<string, Action>;
const ALLOWED = ["payments", "payments", "fulfill", "deliver", "cancel", "cancel_and_refund", "refund"];

const AT = "now";
const decideAll = (order: DecidedOrder, action: Action) =>
  decide(order, action, { shipmentId: "new", at: AT });
const decideOne = (order: DecidedOrder, action: Action) => {
  const [transition, ...others] = decideAll(order, action);
  if (transition === undefined || others.length > 0) throw new Error("not one transition");
  return transition;
};

const [P, F, S, D, C, R] = ["paid", "payment_failed", "fulfilled", "delivered", "cancelled", "refunded"];
const [U, RC] = ["updated", "refunded cancelled"];
const [DONE, GONE, TAKES_NONE] = ["order_already_paid", "order_cancelled", "order_refunded"];
const [NO, HELD, UNPAID_YET] = ["invalid_transition", "refund_required", "order_not_paid"];
const NOTHING = "nothing_to_refund";

// The events of each action, or its refusal: pay, fail, fulfill, deliver, cancel, cancel with a refund, refund.
// biome-ignore format: a table is read by its columns.
const OUTCOMES: Record<StateName, (string | undefined)[]> = {
  unpaid:                         [P,    F,    S,  NO, C,    C,  UNPAID_YET],
  failed:                         [P,    F,    S,  NO, C,    C,  UNPAID_YET],
  "partially paid":               [P,    F,    S,  NO, HELD, RC, R],
  "partially paid and refunded":  [TAKES_NONE, TAKES_NONE, NO, NO, C, C, NOTHING],
  paid:                           [DONE, DONE, S,  NO, HELD, RC, R],
  "partially refunded":           [DONE, DONE, S,  NO, HELD, RC, R],
  refunded:                       [DONE, DONE, NO, NO, C,    C,  NOTHING],
  "partly shipped":               [P,    F,    S,  U,  NO,   NO, UNPAID_YET],
  "paid and partly shipped":      [DONE, DONE, S,  U,  NO,   NO, R],
  "partly shipped and refunded":  [DONE, DONE, NO, U,  NO,   NO, NOTHING],
  "partly delivered":             [DONE, DONE, S,  NO, NO,   NO, R],
  "fulfilled and unpaid":         [P,    F,    NO, D,  NO,   NO, UNPAID_YET],
  "fulfilled and partially paid": [P,    F,    NO, D,  NO,   NO, R],
  "fulfilled and paid":           [DONE, DONE, NO, D,  NO,   NO, R],
  "delivered and paid":           [DONE, DONE, NO, NO, NO,   NO, R],
  "delivered and unpaid":         [P,    F,    NO, NO, NO,   NO, UNPAID_YET],
  cancelled:                      [GONE, GONE, NO, NO, NO,   NO, UNPAID_YET],
  "cancelled after a refund":     [GONE, GONE, NO, NO, NO,   NO, NOTHING],
  free:                           [DONE, DONE, S,  NO, C,    C,  NOTHING],
  "paid with the least amount":   [DONE, DONE, S,  NO, HELD, RC, R],
};

describe("an order", () => {
  test.each(Object.keys(STATES) as StateName[])(
    "that is %s allows exactly the actions of its row",
    (name) => {
      const order = STATES[name];
      const eventsOf = (action: Action) =>
        decideAll(order, action).map(({ event }) => event.replace("order.", ""));
      const outcomes = Object.values(ACTIONS).map(
        (action) => refusalOf(() => decideAll(order, action)) ?? eventsOf(action).join(" "),
      );
      expect(outcomes).toEqual(OUTCOMES[name]);
      // With nothing to refund, the action is `cancel`.
      const isDone = (outcome: string, index: number) =>
        !outcome.includes("_") || outcome === F ? index !== 5 || outcome === RC : false;
      const allowed = ALLOWED.filter((_, index) => isDone(outcomes[index] ?? "", index));
      expect(derivedFields(order).allowedActions).toEqual([...new Set(allowed)]);
    },
  );

  test("is paid with the total, rounded half up to the currency's decimals, whole or in parts", () => {
    const payment = { name: "payments", status: "succeeded", reference: "r" } as const;
    expect(decideOne(UNPAID, { ...payment, amount: 10.01 })).toEqual({
      event: "order.paid",
      changes: { paymentStatus: "paid", paidTotal: 10.01 },
      extra: { payment: { status: "succeeded", amount: 10.01, reference: "r" } },
    });
    expect(decideOne(PART_PAID, { ...payment, amount: 6 })).toEqual({
      event: "order.updated",
      changes: { paymentStatus: "partially_paid", paidTotal: 10 },
      extra: { payment: { status: "succeeded", amount: 6, reference: "r" }, part: "paid" },
    });
    expect(decideOne(PART_PAID, payment)).toMatchObject({
      event: "order.paid",
      changes: { paymentStatus: "paid", paidTotal: 10.01 },
    });
    const faultOf = (order: DecidedOrder, amount: number) => {
      const faults = faultsOf(() => decideOne(order, { ...payment, amount }));
      expect(faults?.map(({ path }) => path)).toEqual(["amount"]);
      return faults?.[0]?.message;
    };
    expect(faultOf(UNPAID, 10.02)).toBe("must be at most 10.01, the amount due");
    expect(faultOf(PART_PAID, 6.02)).toBe("must be at most 6.01, the amount due");
    expect(faultOf(PART_PAID, 0)).toBe("must be more than 0");
    expect(faultOf(UNPAID, 10.005)).toBe("must have at most 2 decimals in EUR");
    expect(faultOf({ ...UNPAID, currency: "JPY" }, 10.5)).toBe("must have no decimals in JPY");
    expect(decideOne({ ...UNPAID, total: 0 }, { ...payment, amount: 0 }).event).toBe("order.paid");
    // Amounts in an unknown currency have the decimals of the database.
    expect(decideOne({ ...UNPAID, currency: "ABC" }, payment).changes.paidTotal).toBe(10.005);
    expect(faultOf({ ...UNPAID, currency: "ABC" }, 0.00001)).toBe("must have at most 4 decimals in ABC");
  });

  test("records a payment that failed, whatever its amount", () => {
    const failed = { name: "payments", status: "failed", amount: 30, reference: "r" } as const;
    const event = "order.payment_failed";
    const extra = { payment: { status: "failed", amount: 30, reference: "r" } };
    expect(decideOne(UNPAID, failed)).toEqual({ event, changes: { paymentStatus: "failed" }, extra });
    const changes = { paymentStatus: "partially_paid" };
    expect(decideOne(PART_PAID, failed)).toEqual({ event, changes, extra });
  });

  test("is shipped whole or in parts, the last of which fulfills it", () => {
    const parcel = { trackingNumber: "1Z", carrier: "UPS" };
    const whole = { id: "new", lines: linesToShip(ITEMS), ...parcel, shippedAt: AT };
    expect(decideOne(PAID, { name: "fulfill", ...parcel })).toEqual({
      event: "order.fulfilled",
      changes: { status: "fulfilled", items: SHIPPED.items, shipments: [whole], ...parcel },
      extra: { shipmentId: "new" },
    });
    const lines = [units(TWO, 2)];
    const part = decideOne(PAID, { name: "fulfill", lines, carrier: "UPS" });
    expect([part.event, part.extra.part, part.changes.status, part.changes.items]).toEqual([
      ...["order.updated", "shipped", undefined, PARTLY_SHIPPED.items],
    ]);
    const partly = { ...PAID, ...PARTLY_SHIPPED };
    for (const rest of [{}, { lines: REST.lines }]) {
      const last = decideOne(partly, { name: "fulfill", ...rest });
      expect([last.event, last.changes]).toEqual([
        "order.fulfilled",
        {
          ...{ status: "fulfilled", items: SHIPPED.items, trackingNumber: undefined, carrier: undefined },
          shipments: [FIRST, { id: "new", lines: REST.lines, shippedAt: AT }],
        },
      ]);
    }
    const wrong = [units(TWO, 2), units("unknown", 1), units(ONE, 1), units(ONE, 1)];
    expect(faultsOf(() => decideOne(partly, { name: "fulfill", lines: wrong }))).toEqual([
      { path: "lines[0].quantity", message: "must be at most 1, the units not yet shipped" },
      { path: "lines[1].lineId", message: "is no line of the order" },
      { path: "lines[3].lineId", message: "is the line of lines[2], too" },
    ]);
  });

  test("has a bounded number of shipments, the last of which must have all that is left", () => {
    const many = Array.from({ length: SHIPMENTS_MAX - 1 }, (_, index) => shipment(`s${index}`, []));
    const order = { ...PAID, shipments: many };
    const part: Action = { name: "fulfill", lines: [units(ONE, 1)] };
    const message = `must be all that is still to ship: an order has at most ${SHIPMENTS_MAX} shipments`;
    expect(faultsOf(() => decideOne(order, part))).toEqual([{ path: "lines", message }]);
    expect(decideOne(order, { name: "fulfill" }).event).toBe("order.fulfilled");
    expect(decideOne({ ...order, shipments: many.slice(1) }, part).event).toBe("order.updated");
  });

  test("is delivered shipment by shipment, once everything is shipped", () => {
    const order = { ...PAID, ...SHIPPED };
    const shipments = [{ ...FIRST, deliveredAt: AT }, REST];
    expect(decideOne(order, { name: "deliver", shipmentId: "s1" })).toEqual({
      event: "order.updated",
      changes: { shipments },
      extra: { shipmentId: "s1", part: "delivered" },
    });
    const second = decideOne({ ...order, shipments }, { name: "deliver", shipmentId: "s2" });
    expect([second.event, second.changes.status]).toEqual(["order.delivered", "delivered"]);
    const arrived = { ...FIRST, deliveredAt: "later" };
    expect(decideOne({ ...order, shipments: [arrived, REST] }, ACTIONS.deliver)).toEqual({
      event: "order.delivered",
      extra: {},
      changes: { status: "delivered", shipments: [arrived, { ...REST, deliveredAt: AT }] },
    });
    expect(isRecorded({ ...order, shipments }, { name: "deliver", shipmentId: "s1" }, [])).toBe(true);
    expect(isRecorded({ ...order, shipments }, { name: "deliver", shipmentId: "s2" }, [])).toBe(false);
    for (const state of [order, { ...PAID, ...DELIVERED }])
      expect(faultsOf(() => decideOne(state, { name: "deliver", shipmentId: ONE }))).toEqual([
        { path: "shipmentId", message: "is no shipment of the order" },
      ]);
  });

  test("is cancelled with a reason, after a refund of what is held", () => {
    const cancel = { name: "cancel", reason: "late" } as const;
    const changes = { status: "cancelled", cancelReason: "late" };
    const cancelled = { event: "order.cancelled", changes, extra: {} };
    expect(decideAll(UNPAID, cancel)).toEqual([cancelled]);
    const refunded = {
      event: "order.refunded",
      changes: { paymentStatus: "refunded", refundedTotal: 10.01 },
      extra: { refund: { amount: 6.01, reason: "late" } },
    };
    expect(decideAll(PART_REFUNDED, { ...cancel, refund: true })).toEqual([refunded, cancelled]);
  });

  test("is refunded in parts, up to what was paid", () => {
    const part = { name: "refund", amount: 4, reason: "late", reference: "r" } as const;
    expect(decideOne(PAID, part)).toEqual({
      event: "order.refunded",
      changes: { paymentStatus: "partially_refunded", refundedTotal: 4 },
      extra: { refund: { amount: 4, reason: "late", reference: "r" } },
    });
    const rest = decideOne(PART_REFUNDED, { name: "refund" });
    expect(rest.changes).toEqual({ paymentStatus: "refunded", refundedTotal: 10.01 });
    expect(decideOne(PAID, { name: "refund", amount: 10.01 }).changes.paymentStatus).toBe("refunded");
    const faultOf = (order: DecidedOrder, amount: number) =>
      faultsOf(() => decideOne(order, { name: "refund", amount }));
    const message = "must be at most 6.01, the amount not yet refunded";
    expect(faultOf(PART_REFUNDED, 6.02)).toEqual([{ path: "amount", message }]);
    expect(faultOf(PAID, 0)).toEqual([{ path: "amount", message: "must be more than 0" }]);
  });

  test("is refunded by line: the price of the units and their share of the tax, at most what is left", () => {
    const lines = [units(TWO, 2)];
    const { changes, extra } = decideOne(PAID, { name: "refund", lines });
    // 2 × 1 and 2/3 of 1.
    expect(extra.refund).toEqual({ amount: 2.67, lines });
    expect(changes.items?.map(({ refundedQuantity }) => refundedQuantity)).toEqual([0, 2]);
    expect(decideOne(PAID, { name: "refund", lines, amount: 9 }).extra.refund?.amount).toBe(9);
    const left = decideOne({ ...PAID, refundedTotal: 8 }, { name: "refund", lines });
    expect([left.changes.paymentStatus, left.extra.refund?.amount]).toEqual(["refunded", 2.01]);
    const wrong = [units(ONE, 1), units(TWO, 4), units(ONE, 1)];
    expect(faultsOf(() => decideOne(PAID, { name: "refund", lines: wrong, amount: 11 }))).toEqual([
      { path: "lines[1].quantity", message: "must be at most 3, the units not yet refunded" },
      { path: "lines[2].lineId", message: "is the line of lines[0], too" },
      { path: "amount", message: "must be at most 10.01, the amount not yet refunded" },
    ]);
    expect(faultsOf(() => decideOne(PAID, { name: "refund", lines: wrong, amount: 0.001 }))).toHaveLength(3);
    const free = { ...PAID, items: [line(ONE, 1, { unitPrice: 0 })] };
    expect(faultsOf(() => decideOne(free, { name: "refund", lines: wrong.slice(0, 1) }))).toEqual([
      { path: "lines", message: "cost nothing" },
    ]);
  });

  test("says in a refusal what it is, and what it allows", () => {
    const refused = errorOf(() => decideOne(PAID, ACTIONS.deliver));
    expect(refused?.message).toBe("An order that is placed and paid cannot be delivered.");
    expect(refused?.extra).toEqual({ state: stateOf(PAID) });
    expect(stateOf(PAID)).toEqual({
      ...{ status: "placed", paymentStatus: "paid" },
      allowedActions: ["fulfill", "cancel_and_refund", "refund"],
    });
    const partly = STATES["partly shipped"];
    const messages = [
      [STATES["fulfilled and paid"], ACTIONS.fulfill, "An order that is fulfilled cannot be fulfilled."],
      [STATES.cancelled, ACTIONS.cancel, "An order that is cancelled cannot be cancelled."],
      [STATES.cancelled, ACTIONS.pay, "The order is cancelled."],
      [PAID, ACTIONS.pay, "The order is already paid."],
      [PAID, ACTIONS.cancel, "Refund the order before you cancel it."],
      [UNPAID, ACTIONS.refund, "The order is not paid."],
      [STATES.refunded, ACTIONS.refund, "The whole payment is already refunded."],
      [partly, ACTIONS.cancel, "An order that is partly shipped and unpaid cannot be cancelled."],
      [STATES["partially paid and refunded"], ACTIONS.pay, "An order takes no payment after a refund."],
    ] as const;
    for (const [order, action, message] of messages)
      expect(errorOf(() => decideAll(order, action))?.message).toBe(message);
  });

  test("shows what is due until it is paid or cancelled", () => {
    const due = { payableTotal: 10.01, amountDue: 10.01 };
    expect(derivedFields(UNPAID)).toMatchObject(due);
    expect(derivedFields(STATES.failed)).toMatchObject(due);
    expect(derivedFields(PART_PAID)).toMatchObject({ ...due, amountDue: 6.01 });
    const over = STATES["partially paid and refunded"];
    for (const order of [PAID, STATES.cancelled, STATES["delivered and paid"], over])
      expect(derivedFields(order)).toMatchObject({ ...due, amountDue: 0 });
  });
});

test("any sequence of actions takes exactly those that are allowed, and leaves an order whose sums and parts agree", () => {
  const amounts = fc.record({ amount: fc.constantFrom(0, 0.01, 4, 6.01, 10.01, 11) }, { requiredKeys: [] });
  const oneLine = fc.record({ lineId: fc.constantFrom(ONE, TWO), quantity: fc.integer({ min: 1, max: 4 }) });
  const lines = fc.record({ lines: fc.tuple(oneLine) }, { requiredKeys: [] });
  const wanted = fc.record({
    action: fc.constantFrom(...Object.values<Action>(ACTIONS)),
    isOne: fc.boolean(),
    amount: amounts,
    lines,
  });
  const reached = new Set<string>();
  fc.assert(
    fc.property(fc.array(wanted, { maxLength: 14 }), (steps) => {
      let order: DecidedOrder = UNPAID;
      for (const [index, { action: plain, isOne, amount, lines: some }] of steps.entries()) {
        const next = order.shipments.find(({ deliveredAt }) => deliveredAt === undefined);
        const action: Action = {
          ...plain,
          ...((plain.name === "payments" || plain.name === "refund") && amount),
          ...((plain.name === "fulfill" || plain.name === "refund") && some),
          ...(plain.name === "deliver" && isOne && next !== undefined && { shipmentId: next.id }),
        };
        const isHeld = order.paidTotal > order.refundedTotal;
        const name = action.name === "cancel" && action.refund && isHeld ? "cancel_and_refund" : action.name;
        const isAllowed = derivedFields(order).allowedActions.includes(name);
        const refused = errorOf(() => {
          for (const { changes } of decide(order, action, { shipmentId: `s${index}`, at: AT }))
            order = { ...order, ...changes };
        });
        expect([order, action, refused?.status !== 409]).toEqual([order, action, isAllowed]);
        expectConsistent(order);
        reached.add(`${order.status} ${order.paymentStatus}`);
      }
    }),
    { numRuns: 500 },
  );
  expect(reached.size).toBeGreaterThan(15);
});

/** For orders with a total of 10.01. */
function expectConsistent(order: DecidedOrder): void {
  const { status, paymentStatus, shipments, items, paidTotal, refundedTotal } = order;
  const shippedOf = (id: string) =>
    shipments.flatMap((one) => one.lines).reduce((sum, of) => sum + (of.lineId === id ? of.quantity : 0), 0);
  expect(items.map(({ fulfilledQuantity }) => fulfilledQuantity)).toEqual(
    items.map(({ id }) => shippedOf(id)),
  );
  const isShipped = items.every(({ fulfilledQuantity, quantity }) => fulfilledQuantity === quantity);
  const isDelivered = isShipped && shipments.every(({ deliveredAt }) => deliveredAt !== undefined);
  const isCancelled = status === "cancelled";
  const shown = isCancelled ? status : isDelivered ? "delivered" : isShipped ? "fulfilled" : "placed";
  expect(status).toBe(shown);
  if (isCancelled) expect([shipments, paidTotal - refundedTotal]).toEqual([[], 0]);
  const isWhole = paidTotal === 10.01 ? "paid" : "partially_paid";
  const ofRefund = refundedTotal === paidTotal ? "refunded" : "partially_refunded";
  if (paidTotal === 0) expect(["unpaid", "failed"]).toContain(paymentStatus);
  else expect(paymentStatus).toBe(refundedTotal === 0 ? isWhole : ofRefund);
  for (const { quantity, fulfilledQuantity, refundedQuantity } of items)
    expect(Math.max(fulfilledQuantity, refundedQuantity)).toBeLessThanOrEqual(quantity);
  expect([refundedTotal <= paidTotal, paidTotal <= 10.01]).toEqual([true, true]);
}

describe("a reference", () => {
  const payment = { name: "payments", status: "succeeded" } as const;
  const paid = [{ status: "succeeded", amount: 10.01 }];
  const lines = [units(ONE, 1), units(TWO, 2)];
  const [refunded, refundedLines] = [[{ amount: 4 }], [{ amount: 4, lines }]];

  test.each<[string, Action, Parameters<typeof isRecorded>[2], boolean]>([
    ["nothing yet", payment, [], false],
    ["the same payment", { ...payment, amount: 10.01 }, paid, true],
    ["the same payment without its amount", payment, paid, true],
    ["a payment that failed before", payment, [{ status: "failed", amount: 10.01 }], false],
    ["the same refund", { name: "refund", amount: 4 }, refunded, true],
    ["a refund without its amount, after which nothing is left", { name: "refund" }, refundedLines, true],
    ["a refund of the same lines", { name: "refund", lines: lines.toReversed() }, refundedLines, true],
    ["one of several payments", payment, [{ status: "failed", amount: 10.01 }, ...paid], true],
    ["an action that has none", ACTIONS.deliver, [{ amount: 1 }], false],
  ])("names %s", (_, action, recorded, isRepetition) => {
    expect(isRecorded(UNPAID, action, recorded)).toBe(isRepetition);
  });

  test("of another amount is refused", () => {
    const other = errorOf(() => isRecorded(UNPAID, { ...payment, amount: 9 }, paid));
    expect([other?.code, other?.extra]).toEqual(["reference_reused", { state: stateOf(UNPAID) }]);
    expect(other?.message).toBe("A payment of another amount has this reference.");
    const refund = errorOf(() => isRecorded(PAID, { name: "refund", amount: 3 }, refunded));
    expect(refund?.message).toBe("A refund of another amount or of other lines has this reference.");
  });

  test.each<[Action, Parameters<typeof isRecorded>[2]]>([
    [{ name: "refund", amount: 4 }, refundedLines],
    [{ name: "refund", lines: lines.slice(1) }, refundedLines],
    [{ name: "refund", amount: 3, lines }, refundedLines],
    [{ name: "refund" }, refunded],
    [{ name: "refund", amount: 4, lines }, refunded],
    [payment, [{ status: "succeeded", amount: 5 }]],
    [payment, [{ status: "failed", amount: 3 }]],
  ])("of %j is refused after %j", (action, recorded) => {
    expect(refusalOf(() => isRecorded(action === payment ? UNPAID : PAID, action, recorded))).toBe(
      "reference_reused",
    );
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
