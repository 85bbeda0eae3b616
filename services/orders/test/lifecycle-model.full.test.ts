// Generated sequences of actions are compared with a model of the lifecycle that shares no code with the service.
import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import { sharedTestOrders } from "./support/test-orders.ts";

const RUNS = 120;
const STEPS_MAX = 14;
// In ten-thousandths, like all amounts of the model.
const MINOR_UNIT = { USD: 100n, JPY: 10_000n, KWD: 10n } as const;

interface Model {
  readonly minorUnit: bigint;
  readonly due: bigint;
  status: string;
  paymentStatus: string;
  paid: bigint;
  refunded: bigint;
  version: number;
}

type Size = "default" | "exact" | "one less" | "one more" | "one" | "none" | "too fine";
interface Command {
  readonly action: "payments" | "fulfill" | "deliver" | "cancel" | "refund";
  readonly outcome: "succeeded" | "failed";
  readonly size: Size;
  readonly match: "none" | "current" | "stale";
}

const command: fc.Arbitrary<Command> = fc.record({
  action: fc.constantFrom(
    "payments",
    "payments",
    "fulfill",
    "deliver",
    "cancel",
    "refund",
    "refund",
    "refund",
  ),
  outcome: fc.constantFrom("succeeded", "failed"),
  size: fc.constantFrom("default", "exact", "one less", "one more", "one", "one", "none", "too fine"),
  match: fc.constantFrom("none", "none", "none", "none", "current", "stale"),
});
const sequence = fc.record({
  currency: fc.constantFrom(...(Object.keys(MINOR_UNIT) as (keyof typeof MINOR_UNIT)[])),
  total: fc.oneof(
    fc.constant(0n),
    fc.bigInt({ min: 0n, max: 60_000n }),
    fc.bigInt({ min: 0n, max: 10n ** 10n }),
  ),
  commands: fc.array(command, { minLength: 1, maxLength: STEPS_MAX }),
});

/** All other refusals have the status 409. */
const STATUS_OF: Readonly<Record<string, number>> = { validation_error: 422, version_mismatch: 412 };

/** Applies an action to the model. Returns the timeline entry, or the code of the refusal, which leaves the model as it is. */
function step(model: Model, { action, outcome, match }: Command, amount: bigint | undefined) {
  const isPayable = isUnpaid(model);
  const left = model.paid - model.refunded;
  // The body is checked first, then the version, then the state, then the conditions on the order.
  if (action === "refund" && amount === 0n) return "validation_error";
  if (match === "stale") return "version_mismatch";
  const isTooFine = amount !== undefined && amount % model.minorUnit !== 0n;
  let entry: { type: string; [field: string]: unknown };
  if (action === "payments") {
    if (model.status === "cancelled") return "order_cancelled";
    if (!isPayable) return "order_already_paid";
    if (isTooFine) return "validation_error";
    if (outcome === "succeeded" && amount !== undefined && amount !== model.due) return "validation_error";
    model.paymentStatus = outcome === "succeeded" ? "paid" : "failed";
    if (outcome === "succeeded") model.paid = model.due;
    const payment = { id: expect.any(String), status: outcome, amount: inUnits(amount ?? model.due) };
    entry = { type: outcome === "succeeded" ? "order.paid" : "order.payment_failed", payment };
  } else if (action === "refund") {
    if (isPayable) return "order_not_paid";
    if (left === 0n) return "nothing_to_refund";
    if (isTooFine || (amount ?? 0n) > left) return "validation_error";
    model.refunded += amount ?? left;
    model.paymentStatus = model.refunded === model.paid ? "refunded" : "partially_refunded";
    entry = { type: "order.refunded", refund: { id: expect.any(String), amount: inUnits(amount ?? left) } };
  } else if (action === "fulfill") {
    if (model.status !== "placed" || model.paymentStatus === "refunded") return "invalid_transition";
    model.status = "fulfilled";
    entry = { type: "order.fulfilled" };
  } else if (action === "deliver") {
    if (model.status !== "fulfilled") return "invalid_transition";
    model.status = "delivered";
    entry = { type: "order.delivered" };
  } else {
    if (model.status !== "placed") return "invalid_transition";
    if (left > 0n) return "refund_required";
    model.status = "cancelled";
    entry = { type: "order.cancelled" };
  }
  model.version += 1;
  return entry;
}

/** Returns the actions that `step` accepts in the order's state. */
function allowedActions(model: Model): string[] {
  const left = model.paid - model.refunded;
  const isPlaced = model.status === "placed";
  return [
    ...(isUnpaid(model) && model.status !== "cancelled" ? ["payments"] : []),
    ...(isPlaced && model.paymentStatus !== "refunded" ? ["fulfill"] : []),
    ...(model.status === "fulfilled" ? ["deliver"] : []),
    ...(isPlaced && left === 0n ? ["cancel"] : []),
    ...(left > 0n ? ["refund"] : []),
  ];
}

function isUnpaid({ paymentStatus }: Model): boolean {
  return ["unpaid", "failed"].includes(paymentStatus);
}

/**
 * Returns an amount for the action, near the amount that is due or can be refunded now; undefined for an action without an
 * amount.
 */
function amountOf(model: Model, { action, size }: Command): bigint | undefined {
  if (action !== "payments" && action !== "refund") return undefined;
  const exact = action === "payments" ? model.due : model.paid - model.refunded;
  const less = exact - model.minorUnit;
  const amounts: Record<Size, bigint | undefined> = {
    default: undefined,
    exact,
    "one less": less < 0n ? 0n : less,
    "one more": exact + model.minorUnit,
    one: model.minorUnit,
    none: 0n,
    "too fine": exact + 1n,
  };
  return amounts[size];
}

function requestOf(model: Model, { action, outcome, match }: Command, amount: bigint | undefined) {
  const ifMatch = { none: null, current: model.version, stale: model.version + 1 }[match];
  return {
    body: {
      ...(action === "payments" && { status: outcome }),
      ...(amount !== undefined && { amount: inUnits(amount) }),
    },
    headers: ifMatch === null ? undefined : { "if-match": `"${ifMatch}"` },
  };
}

const orders = await sharedTestOrders();
const shop = await orders.openShop();

describe("any sequence of actions on an order", () => {
  test("has the responses, the timeline and the final order of the model", async () => {
    await fc.assert(
      fc.asyncProperty(sequence, async ({ currency, total, commands }) => {
        const minorUnit = MINOR_UNIT[currency];
        const model: Model = {
          minorUnit,
          due: ((2n * total + minorUnit) / (2n * minorUnit)) * minorUnit,
          status: "placed",
          paymentStatus: "unpaid",
          paid: 0n,
          refunded: 0n,
          version: 1,
        };
        const placed = await shop.place(
          `{"customerId":"${shop.customerId}","currency":"${currency}",` +
            `"items":[{"sku":"a","name":"a","unitPrice":${inUnits(total)}}]}`,
        );
        const { id } = placed.body.data;
        let last = placed.body;
        const shown = () => ({
          version: model.version,
          status: model.status,
          paymentStatus: model.paymentStatus,
        });
        const timeline: object[] = [{ type: "order.placed", ...shown() }];

        for (const command of commands) {
          const amount = amountOf(model, command);
          const { body, headers } = requestOf(model, command, amount);
          const expected = step(model, command, amount);
          const response = await shop.client.post(`/v1/orders/${id}/${command.action}`, body, headers);
          if (typeof expected === "string") {
            const { code, state } = response.body.error ?? {};
            const expectedStatus = STATUS_OF[expected] ?? 409;
            expect([command, response.status, code]).toEqual([command, expectedStatus, expected]);
            if (response.status === 409) {
              expect([state.status, state.paymentStatus]).toEqual([model.status, model.paymentStatus]);
            }
            continue;
          }
          expect([command, response.status, response.body.error]).toEqual([command, 200, undefined]);
          last = response.body;
          expect(last.data).toEqual({
            ...placed.body.data,
            ...shown(),
            paidTotal: inUnits(model.paid),
            refundedTotal: inUnits(model.refunded),
            payableTotal: inUnits(model.due),
            amountDue: isUnpaid(model) && model.status !== "cancelled" ? inUnits(model.due) : 0,
            allowedActions: allowedActions(model),
            updatedAt: expect.any(String),
          });
          timeline.unshift({ ...expected, ...shown() });
        }

        expect((await shop.client.get(`/v1/orders/${id}`)).body).toEqual(last);
        const read = await shop.client.get(`/v1/orders/${id}/timeline?limit=100`);
        expect(read.body.data).toEqual(
          timeline.map((expectedEntry) => ({
            ...expectedEntry,
            eventId: expect.any(String),
            createdAt: expect.any(String),
            actor: expect.any(Object),
            requestId: expect.any(String),
          })),
        );
      }),
      { numRuns: RUNS },
    );
  });
});

/** Converts an amount to currency units: 199900n becomes 19.99. */
function inUnits(amount: bigint): number {
  return Number(`${amount / 10_000n}.${String(amount % 10_000n).padStart(4, "0")}`);
}
