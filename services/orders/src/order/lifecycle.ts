// Decides how an action changes an order: the states, transitions and refusals of interface §4, which the README draws. Pure.
import { isDeepStrictEqual } from "node:util";
import { ApiError, type FieldFault, invalid } from "@tradepost/http";
import type { Action } from "./action-input.ts";
import {
  costOfShares,
  DECIMALS_MAX,
  hasDecimalsAtMost,
  minorDigitsOf,
  numberOf,
  roundHalfUp,
  unitsOf,
} from "./money.ts";
import type { LineQuantity, Order, OrderLine, OrderStatus, PaymentStatus } from "./order-resource.ts";
import { addUnits, fulfillmentOf, lineFaults, linesToShip, SHIPMENTS_MAX, unitsToShip } from "./shipments.ts";

type PaymentAction = Extract<Action, { name: "payments" }>;
type FulfillAction = Extract<Action, { name: "fulfill" }>;
type DeliverAction = Extract<Action, { name: "deliver" }>;
type CancelAction = Extract<Action, { name: "cancel" }>;
type RefundAction = Extract<Action, { name: "refund" }>;

export type OrderState = Pick<
  Order,
  "status" | "paymentStatus" | "currency" | "total" | "paidTotal" | "refundedTotal" | "shipments"
>;
type DecidedOrder = OrderState & Pick<Order, "items">;

export interface Transition {
  readonly event: string;
  readonly changes: Partial<Order>;
  readonly extra: {
    readonly payment?: { status: string; amount: number; reference?: string | undefined };
    readonly refund?: {
      amount: number;
      lines?: readonly LineQuantity[] | undefined;
      reason?: string | undefined;
      reference?: string | undefined;
    };
    readonly shipmentId?: string;
    /** Only with the event `order.updated`. */
    readonly part?: "paid" | "shipped" | "delivered";
  };
}

interface Moment {
  readonly shipmentId: string;
  readonly at: string;
}

/**
 * The transitions commit together. Checks the order's state before the action's amount and lines.
 * @throws 409 with `state: {status, paymentStatus, allowedActions}` if the state does not allow the action; 422 for an amount above
 * what is due or can be refunded, lines that are not the order's or have fewer units left, or an unknown shipment.
 */
export function decide(order: DecidedOrder, action: Action, moment: Moment): readonly Transition[] {
  switch (action.name) {
    case "payments":
      return [pay(order, action)];
    case "fulfill":
      return [fulfill(order, action, moment)];
    case "deliver":
      return [deliver(order, action, moment)];
    case "cancel":
      return cancel(order, action);
    case "refund":
      return [refund(order, action)];
  }
}

function pay(order: OrderState, action: PaymentAction): Transition {
  if (order.status === "cancelled") throw refusal("order_cancelled", "The order is cancelled.", order);
  if (!mayBePaid(order)) {
    throw unitsOf(order.paidTotal) === payableTotal(order)
      ? refusal("order_already_paid", "The order is already paid.", order)
      : refusal("order_refunded", "An order takes no payment after a refund.", order);
  }
  const due = amountDue(order);
  const amount = amountOf(action.amount, order, due);
  const payment = { status: action.status, amount: numberOf(amount), reference: action.reference };
  if (action.status === "failed") {
    const paymentStatus = order.paymentStatus === "partially_paid" ? "partially_paid" : "failed";
    return { event: "order.payment_failed", changes: { paymentStatus }, extra: { payment } };
  }
  if (amount === 0n && due > 0n) throw invalidAmount("must be more than 0");
  if (amount > due) throw invalidAmount(`must be at most ${numberOf(due)}, the amount due`);
  const isWhole = amount === due;
  return {
    event: isWhole ? "order.paid" : "order.updated",
    changes: {
      paymentStatus: isWhole ? "paid" : "partially_paid",
      paidTotal: numberOf(unitsOf(order.paidTotal) + amount),
    },
    extra: { payment, ...(!isWhole && { part: "paid" }) },
  };
}

function fulfill(order: DecidedOrder, action: FulfillAction, { shipmentId: id, at }: Moment): Transition {
  if (!mayFulfill(order)) throw invalidTransition(order, "fulfilled");
  const { lines = linesToShip(order.items), trackingNumber, carrier } = action;
  const faults = lineFaults(lines, order.items, { of: unitsToShip, are: "not yet shipped" });
  const items = addUnits(order.items, "fulfilledQuantity", lines);
  const isLast = linesToShip(items).length === 0;
  if (faults.length === 0 && !isLast && order.shipments.length === SHIPMENTS_MAX - 1) {
    const message = `must be all that is still to ship: an order has at most ${SHIPMENTS_MAX} shipments`;
    faults.push({ path: "lines", message });
  }
  if (faults.length > 0) throw invalid(faults);
  const shipments = [...order.shipments, { id, lines, trackingNumber, carrier, shippedAt: at }];
  return {
    event: isLast ? "order.fulfilled" : "order.updated",
    changes: { ...(isLast && { status: "fulfilled" }), items, shipments, trackingNumber, carrier },
    extra: { shipmentId: id, ...(!isLast && { part: "shipped" }) },
  };
}

function deliver(order: OrderState, { shipmentId }: DeliverAction, { at }: Moment): Transition {
  if (order.shipments.length === 0) throw invalidTransition(order, "delivered");
  if (shipmentId !== undefined && !order.shipments.some(({ id }) => id === shipmentId)) {
    throw invalid([{ path: "shipmentId", message: "is no shipment of the order" }]);
  }
  if (!mayDeliver(order)) throw invalidTransition(order, "delivered");
  const isDelivered = (id: string) => shipmentId === undefined || id === shipmentId;
  const shipments = order.shipments.map((shipment) =>
    isDelivered(shipment.id) ? { ...shipment, deliveredAt: shipment.deliveredAt ?? at } : shipment,
  );
  const isLast = order.status === "fulfilled" && shipments.every(({ deliveredAt }) => deliveredAt);
  return {
    event: isLast ? "order.delivered" : "order.updated",
    changes: { ...(isLast && { status: "delivered" }), shipments },
    extra: { ...(shipmentId !== undefined && { shipmentId }), ...(!isLast && { part: "delivered" }) },
  };
}

function cancel(order: DecidedOrder, { reason, refund: refundsFirst }: CancelAction): Transition[] {
  if (!isCancellable(order)) throw invalidTransition(order, "cancelled");
  if (holdsMoney(order) && !refundsFirst) {
    throw refusal("refund_required", "Refund the order before you cancel it.", order);
  }
  const changes = { status: "cancelled", cancelReason: reason } as const;
  return [
    ...(holdsMoney(order) ? [refund(order, { name: "refund", reason })] : []),
    { event: "order.cancelled", changes, extra: {} },
  ];
}

function refund(order: DecidedOrder, action: RefundAction): Transition {
  if (!wasPaid(order)) throw refusal("order_not_paid", "The order is not paid.", order);
  const refundable = refundableOf(order);
  if (refundable === 0n) {
    throw refusal("nothing_to_refund", "The whole payment is already refunded.", order);
  }
  const { lines, reason, reference } = action;
  const of = ({ quantity, refundedQuantity }: OrderLine) => quantity - refundedQuantity;
  const faults = lineFaults(lines ?? [], order.items, { of, are: "not yet refunded" });
  const isKnown = faults.length === 0;
  const amount = amountOf(
    action.amount,
    order,
    isKnown ? shareOf(order, lines, refundable) : refundable,
    faults,
  );
  if (amount === 0n) {
    const isOfLines = action.amount === undefined;
    faults.push(isOfLines ? { path: "lines", message: "cost nothing" } : amountFault("must be more than 0"));
  }
  if (amount > refundable) {
    faults.push(amountFault(`must be at most ${numberOf(refundable)}, the amount not yet refunded`));
  }
  if (faults.length > 0) throw invalid(faults);
  return {
    event: "order.refunded",
    changes: {
      paymentStatus: amount === refundable ? "refunded" : "partially_refunded",
      refundedTotal: numberOf(unitsOf(order.refundedTotal) + amount),
      ...(lines && { items: addUnits(order.items, "refundedQuantity", lines) }),
    },
    extra: { refund: { amount: numberOf(amount), lines, reason, reference } },
  };
}

/** Returns the cost of the lines, at most `left`; without lines, `left`. */
function shareOf(order: DecidedOrder, lines: readonly LineQuantity[] | undefined, left: bigint): bigint {
  if (lines === undefined) return left;
  const items = new Map(order.items.map((line) => [line.id, line]));
  const shares = lines.flatMap(({ lineId, quantity }) => {
    const line = items.get(lineId);
    return line === undefined ? [] : { quantity, line };
  });
  const cost = costOfShares(shares, digitsOf(order));
  return cost < left ? cost : left;
}

/** An earlier payment or refund with the action's reference. */
export interface Recorded {
  readonly status?: string;
  readonly amount: number;
  readonly lines?: readonly LineQuantity[];
}

/**
 * Whether the action changes nothing in any state: it delivers what is delivered, or repeats one of `recorded`, the payments or
 * refunds with its reference.
 * @throws 409 `reference_reused` with the order's state if the reference belongs to another amount or other lines.
 */
export function isRecorded(order: OrderState, action: Action, recorded: readonly Recorded[]): boolean {
  if (action.name === "deliver") {
    return order.shipments.some(
      ({ id, deliveredAt }) => id === action.shipmentId && deliveredAt !== undefined,
    );
  }
  if (action.name === "payments") return isRecordedPayment(order, action, recorded);
  if (action.name !== "refund") return false;
  const { amount, lines } = action;
  // Without amount and lines it refunds all; once nothing is left, it repeats the recorded refund.
  const isOfAll = amount === undefined && lines === undefined;
  const isSame = (one: Recorded) =>
    isOfAll
      ? refundableOf(order) === 0n
      : (amount ?? one.amount) === one.amount && areSameLines(one.lines, lines);
  if (recorded.length === 0 || recorded.some(isSame)) return recorded.length > 0;
  const message = "A refund of another amount or of other lines has this reference.";
  throw refusal("reference_reused", message, order);
}

function isRecordedPayment(
  order: OrderState,
  { status, amount }: PaymentAction,
  recorded: readonly Recorded[],
): boolean {
  // Without an amount it pays all that is due; once nothing is due, it repeats the recorded payment.
  const due = mayBePaid(order) ? amountDue(order) : 0n;
  const isOther = (one: Recorded) =>
    amount === undefined
      ? status === "succeeded" && due > 0n && unitsOf(one.amount) !== due
      : amount !== one.amount;
  if (recorded.some((one) => one.status === status && !isOther(one))) return true;
  // Earlier reports of this payment may have another status.
  const wanted = amount ?? numberOf(mayBePaid(order) ? due : payableTotal(order));
  if (recorded.every((one) => one.amount === wanted)) return false;
  throw refusal("reference_reused", "A payment of another amount has this reference.", order);
}

function areSameLines(one: readonly LineQuantity[] = [], other: readonly LineQuantity[] = []): boolean {
  const key = ({ lineId, quantity }: LineQuantity) => `${lineId} ${quantity}`;
  return isDeepStrictEqual(one.map(key).sort(), other.map(key).sort());
}

export function derivedFields(
  order: OrderState,
): Pick<Order, "payableTotal" | "amountDue" | "fulfillment" | "allowedActions"> {
  return {
    payableTotal: numberOf(payableTotal(order)),
    amountDue: mayBePaid(order) ? numberOf(amountDue(order)) : 0,
    fulfillment: fulfillmentOf(order),
    allowedActions: allowedActions(order),
  };
}

/** Rounded half up to the currency's minor unit, in ten-thousandths. */
function payableTotal(order: Pick<OrderState, "total" | "currency">): bigint {
  return roundHalfUp(unitsOf(order.total), digitsOf(order));
}

function amountDue(order: OrderState): bigint {
  return payableTotal(order) - unitsOf(order.paidTotal);
}

function digitsOf({ currency }: Pick<OrderState, "currency">): number {
  return minorDigitsOf(currency) ?? DECIMALS_MAX;
}

/** @throws 422, with these faults, for more decimals than the currency has. */
function amountOf(
  supplied: number | undefined,
  order: OrderState,
  defaultAmount: bigint,
  faults: readonly FieldFault[] = [],
): bigint {
  if (supplied === undefined) return defaultAmount;
  const digits = digitsOf(order);
  if (hasDecimalsAtMost(supplied, digits)) return unitsOf(supplied);
  const decimals = digits === 0 ? "no" : `at most ${digits}`;
  throw invalid([...faults, amountFault(`must have ${decimals} decimals in ${order.currency}`)]);
}

function mayBePaid({ status, paymentStatus }: OrderState): boolean {
  return status !== "cancelled" && ["unpaid", "failed", "partially_paid"].includes(paymentStatus);
}

function wasPaid({ paymentStatus }: OrderState): boolean {
  return paymentStatus !== "unpaid" && paymentStatus !== "failed";
}

function mayFulfill({ status, paymentStatus }: OrderState): boolean {
  return status === "placed" && paymentStatus !== "refunded";
}

function mayDeliver({ shipments }: OrderState): boolean {
  return shipments.some(({ deliveredAt }) => deliveredAt === undefined);
}

function isCancellable({ status, shipments }: OrderState): boolean {
  return status === "placed" && shipments.length === 0;
}

// A paid order of 0 holds no money, so it can be cancelled without a refund.
function holdsMoney(order: OrderState): boolean {
  return refundableOf(order) > 0n;
}

function refundableOf({ paidTotal, refundedTotal }: OrderState): bigint {
  return unitsOf(paidTotal) - unitsOf(refundedTotal);
}

function amountFault(message: string): FieldFault {
  return { path: "amount", message };
}

function invalidAmount(message: string): ApiError {
  return invalid([amountFault(message)]);
}

function invalidTransition(order: OrderState, wanted: string): ApiError {
  const { status, paymentStatus, shipments } = order;
  const goods = shipments.length > 0 ? "partly shipped" : status;
  const now = status === "placed" ? `${goods} and ${paymentStatus}` : status;
  return refusal("invalid_transition", `An order that is ${now} cannot be ${wanted}.`, order);
}

type RefusalCode =
  | "order_already_paid"
  | "order_cancelled"
  | "order_refunded"
  | "order_not_paid"
  | "nothing_to_refund"
  | "reference_reused"
  | "refund_required"
  | "invalid_transition";

export function refusal(code: RefusalCode, message: string, order: OrderState): ApiError {
  return new ApiError(code, message, { extra: { state: stateOf(order) } });
}

export function stateOf(order: OrderState): {
  status: OrderStatus;
  paymentStatus: PaymentStatus;
  allowedActions: Order["allowedActions"];
} {
  const { status, paymentStatus } = order;
  return { status, paymentStatus, allowedActions: allowedActions(order) };
}

function allowedActions(order: OrderState): Order["allowedActions"] {
  const allowed: Record<Order["allowedActions"][number], boolean> = {
    payments: mayBePaid(order),
    fulfill: mayFulfill(order),
    deliver: mayDeliver(order),
    cancel: isCancellable(order) && !holdsMoney(order),
    cancel_and_refund: isCancellable(order) && holdsMoney(order),
    refund: holdsMoney(order),
  };
  return (Object.keys(allowed) as (keyof typeof allowed)[]).filter((name) => allowed[name]);
}
