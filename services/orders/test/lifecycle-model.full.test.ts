// Generated sequences of actions are compared with a model of the lifecycle that shares no code with the service.
import { randomUUID } from "node:crypto";
import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import { line, sharedTestOrders } from "./support/test-orders.ts";

const RUNS = 120;
const STEPS_MAX = 14;
// In ten-thousandths, like all amounts of the model.
const MINOR_UNIT = { USD: 100n, JPY: 10_000n, KWD: 10n } as const;

interface Model {
  readonly minorUnit: bigint;
  readonly due: bigint;
  /** Of a line at this price. */
  readonly unitPrice: bigint;
  status: string;
  paymentStatus: string;
  paid: bigint;
  refunded: bigint;
  refundedUnits: number;
  /** The units of each shipment, and whether it is delivered. */
  shipments: { readonly units: number; readonly isDelivered: boolean }[];
  version: number;
}

const UNITS = 3;

type Size = "default" | "exact" | "one less" | "one more" | "one" | "none" | "too fine";
interface Command {
  readonly action: "payments" | "fulfill" | "deliver" | "cancel" | "refund";
  readonly outcome: "succeeded" | "failed";
  readonly size: Size;
  readonly match: "none" | "current" | "stale";
  /** Of the line, for a shipment or a refund; null without lines. */
  readonly units: number | null;
  /** Which shipment to deliver; null for all. */
  readonly shipment: number | null;
  readonly refundsFirst: boolean;
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
  units: fc.constantFrom(null, 1, 1, 2, UNITS, UNITS + 1),
  shipment: fc.constantFrom(null, 0, 1, 2),
  refundsFirst: fc.boolean(),
});
const sequence = fc.record({
  currency: fc.constantFrom(...(Object.keys(MINOR_UNIT) as (keyof typeof MINOR_UNIT)[])),
  total: fc.oneof(fc.constant(0n), ...[60_000n, 10n ** 10n].map((max) => fc.bigInt({ min: 0n, max }))),
  commands: fc.array(command, { minLength: 1, maxLength: STEPS_MAX }),
});

/** All other refusals have the status 409. */
const STATUS_OF: Readonly<Record<string, number>> = { validation_error: 422, version_mismatch: 412 };

type Entry = { type: string; [field: string]: unknown };

/** Applies an action to the model. Returns the timeline entries, or the code of the refusal, which leaves the model as it is. */
function step(model: Model, command: Command, amount: bigint | undefined): Entry[] | string {
  // The body is checked first, then the version, then the state, then the conditions on the order.
  if (command.action === "refund" && amount === 0n) return "validation_error";
  if (command.match === "stale") return "version_mismatch";
  switch (command.action) {
    case "payments":
      return pay(model, command, amount);
    case "refund":
      return refund(model, amount, command.units);
    case "fulfill":
      return fulfill(model, command.units ?? unshipped(model));
    case "deliver":
      return deliver(model, command.shipment);
    case "cancel":
      return cancel(model, command.refundsFirst);
  }
}

/** One change. Its entry shows the order after it. */
function changed(model: Model, entry: Entry): Entry[] {
  model.version += 1;
  const { version, status, paymentStatus } = model;
  return [{ ...entry, version, status, paymentStatus }];
}

function pay(model: Model, { outcome }: Command, amount: bigint | undefined): Entry[] | string {
  if (model.status === "cancelled") return "order_cancelled";
  if (!isUnpaid(model)) return model.paid === model.due ? "order_already_paid" : "order_refunded";
  const due = model.due - model.paid;
  if (amount !== undefined && amount % model.minorUnit !== 0n) return "validation_error";
  const payment = { id: expect.any(String), status: outcome, amount: inUnits(amount ?? due) };
  if (outcome === "failed") {
    if (model.paid === 0n) model.paymentStatus = "failed";
    return changed(model, { type: "order.payment_failed", payment });
  }
  if ((amount ?? due) > due || (amount === 0n && due > 0n)) return "validation_error";
  model.paid += amount ?? due;
  model.paymentStatus = model.paid === model.due ? "paid" : "partially_paid";
  return changed(model, orPart(model.paid === model.due, "order.paid", "paid", { payment }));
}

function refund(model: Model, amount: bigint | undefined, units: number | null): Entry[] | string {
  const left = model.paid - model.refunded;
  if (["unpaid", "failed"].includes(model.paymentStatus)) return "order_not_paid";
  if (left === 0n) return "nothing_to_refund";
  if (amount !== undefined && amount % model.minorUnit !== 0n) return "validation_error";
  if (units !== null && units > UNITS - model.refundedUnits) return "validation_error";
  let given = amount ?? left;
  if (amount === undefined && units !== null) {
    const cost = rounded(BigInt(units) * model.unitPrice, model.minorUnit);
    if (cost < left) given = cost;
  }
  if (given === 0n || given > left) return "validation_error";
  model.refunded += given;
  model.refundedUnits += units ?? 0;
  model.paymentStatus = model.refunded === model.paid ? "refunded" : "partially_refunded";
  const lines = units === null ? {} : { lines: [{ lineId: expect.any(String), quantity: units }] };
  const shown = { id: expect.any(String), amount: inUnits(given), ...lines };
  return changed(model, { type: "order.refunded", refund: shown });
}

function fulfill(model: Model, units: number): Entry[] | string {
  if (model.status !== "placed" || model.paymentStatus === "refunded") return "invalid_transition";
  if (units > unshipped(model)) return "validation_error";
  model.shipments.push({ units, isDelivered: false });
  const isLast = unshipped(model) === 0;
  if (isLast) model.status = "fulfilled";
  return changed(model, orPart(isLast, "order.fulfilled", "shipped", { shipmentId: expect.any(String) }));
}

/** A shipment that does not exist is an unknown id. */
function deliver(model: Model, wanted: number | null): Entry[] | string {
  if (model.shipments.length === 0) return "invalid_transition";
  const one = wanted === null ? null : model.shipments[wanted];
  if (one === undefined) return "validation_error";
  if (one?.isDelivered) return [];
  if (model.shipments.every(({ isDelivered }) => isDelivered)) return "invalid_transition";
  model.shipments = model.shipments.map((shipment, index) =>
    wanted === null || index === wanted ? { ...shipment, isDelivered: true } : shipment,
  );
  const isLast = unshipped(model) === 0 && model.shipments.every(({ isDelivered }) => isDelivered);
  if (isLast) model.status = "delivered";
  const extra = wanted === null ? {} : { shipmentId: expect.any(String) };
  return changed(model, orPart(isLast, "order.delivered", "delivered", extra));
}

/** The entry of the last part has a type of its own. */
function orPart(isLast: boolean, type: string, part: string, extra: object): Entry {
  return isLast ? { type, ...extra } : { type: "order.updated", part, ...extra };
}

function cancel(model: Model, refundsFirst: boolean): Entry[] | string {
  if (model.status !== "placed" || model.shipments.length > 0) return "invalid_transition";
  const isHeld = model.paid > model.refunded;
  if (isHeld && !refundsFirst) return "refund_required";
  const refunded = isHeld ? refund(model, undefined, null) : [];
  if (typeof refunded === "string") throw new Error(`the refund is ${refunded}`);
  model.status = "cancelled";
  return [...refunded, ...changed(model, { type: "order.cancelled" })];
}

function unshipped({ shipments }: Model): number {
  return shipments.reduce((left, { units }) => left - units, UNITS);
}

/** Returns the actions that `step` accepts in the order's state. */
function allowedActions(model: Model): string[] {
  const isHeld = model.paid > model.refunded;
  const isPlaced = model.status === "placed";
  const isCancellable = isPlaced && model.shipments.length === 0;
  return [
    ...(isUnpaid(model) && model.status !== "cancelled" ? ["payments"] : []),
    ...(isPlaced && model.paymentStatus !== "refunded" ? ["fulfill"] : []),
    ...(model.shipments.some(({ isDelivered }) => !isDelivered) ? ["deliver"] : []),
    ...(isCancellable ? [isHeld ? "cancel_and_refund" : "cancel"] : []),
    ...(isHeld ? ["refund"] : []),
  ];
}

function isUnpaid({ paymentStatus }: Model): boolean {
  return ["unpaid", "failed", "partially_paid"].includes(paymentStatus);
}

/** Rounds half up. */
function rounded(amount: bigint, minorUnit: bigint): bigint {
  return ((2n * amount + minorUnit) / (2n * minorUnit)) * minorUnit;
}

/**
 * Returns an amount for the action, near the amount that is due or can be refunded now; undefined for an action without an
 * amount.
 */
function amountOf(model: Model, { action, size }: Command): bigint | undefined {
  if (action !== "payments" && action !== "refund") return undefined;
  const exact = action === "payments" ? model.due - model.paid : model.paid - model.refunded;
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

interface Shown {
  readonly items: readonly { readonly id: string }[];
  readonly shipments: readonly { readonly id: string }[];
}

function requestOf(model: Model, command: Command, amount: bigint | undefined, order: Shown) {
  const { action, outcome, match, units, shipment, refundsFirst } = command;
  const ifMatch = { none: null, current: model.version, stale: model.version + 1 }[match];
  const isByLine = (action === "fulfill" || action === "refund") && units !== null;
  return {
    body: {
      ...(action === "payments" && { status: outcome }),
      ...(amount !== undefined && { amount: inUnits(amount) }),
      ...(isByLine && { lines: [{ lineId: order.items[0]?.id, quantity: units }] }),
      ...(action === "deliver" &&
        shipment !== null && { shipmentId: order.shipments[shipment]?.id ?? randomUUID() }),
      ...(action === "cancel" && { refund: refundsFirst }),
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
          due: rounded(BigInt(UNITS) * total, minorUnit),
          unitPrice: total,
          status: "placed",
          paymentStatus: "unpaid",
          shipments: [],
          version: 1,
          paid: 0n,
          refunded: 0n,
          refundedUnits: 0,
        };
        const items = [line({ quantity: UNITS, unitPrice: inUnits(total) })];
        const placed = await shop.client.post("/v1/orders", shop.order({ currency, items }));
        const { id } = placed.body.data;
        let last = placed.body;
        const shown = () => {
          const { version, status, paymentStatus } = model;
          return { version, status, paymentStatus };
        };
        const timeline: object[] = [{ type: "order.placed", ...shown() }];

        for (const command of commands) {
          const amount = amountOf(model, command);
          const { body, headers } = requestOf(model, command, amount, last.data);
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
          if (expected.length === 0) expect(response.body).toEqual(last);
          last = response.body;
          const [item] = placed.body.data.items;
          const shipped = UNITS - unshipped(model);
          expect(last.data).toEqual({
            ...placed.body.data,
            ...shown(),
            paidTotal: inUnits(model.paid),
            refundedTotal: inUnits(model.refunded),
            payableTotal: inUnits(model.due),
            amountDue: isUnpaid(model) && model.status !== "cancelled" ? inUnits(model.due - model.paid) : 0,
            allowedActions: allowedActions(model),
            fulfillment: shipped === 0 ? "none" : shipped === UNITS ? "all" : "part",
            items: [{ ...item, fulfilledQuantity: shipped, refundedQuantity: model.refundedUnits }],
            shipments: model.shipments.map(({ units, isDelivered }) => ({
              ...{ id: expect.any(String), lines: [{ lineId: expect.any(String), quantity: units }] },
              shippedAt: expect.any(String),
              ...(isDelivered && { deliveredAt: expect.any(String) }),
            })),
            updatedAt: expect.any(String),
          });
          timeline.unshift(...expected.toReversed());
        }

        expect((await shop.client.get(`/v1/orders/${id}`)).body).toEqual(last);
        const read = await shop.client.get(`/v1/orders/${id}/timeline?limit=100`);
        expect(read.body.data).toEqual(
          timeline.map((entry) => ({
            ...entry,
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
