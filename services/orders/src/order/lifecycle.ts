// Decides how an action changes an order: the states, transitions and refusals of interface §4. The README has a diagram. Pure.
import { ApiError, invalid } from "@tradepost/http";
import type { Action } from "./action-input.ts";
import { DECIMALS_MAX, hasDecimalsAtMost, minorDigitsOf, numberOf, roundHalfUp, unitsOf } from "./money.ts";
import type { Order, OrderStatus, PaymentStatus } from "./order-resource.ts";

type PaymentAction = Extract<Action, { name: "payments" }>;
type CancelAction = Extract<Action, { name: "cancel" }>;
type RefundAction = Extract<Action, { name: "refund" }>;

export type OrderState = Pick<
  Order,
  "status" | "paymentStatus" | "currency" | "total" | "paidTotal" | "refundedTotal"
>;

export interface Transition {
  readonly event: string;
  readonly changes: Partial<Order>;
  readonly extra: {
    readonly payment?: { status: string; amount: number; reference?: string | undefined };
    readonly refund?: { amount: number; reason?: string | undefined; reference?: string | undefined };
  };
}

/**
 * Returns the transition of the order. It checks the order's state before the action's amount.
 *
 * @throws 409 with `state: {status, paymentStatus, allowedActions}` if the state does not allow the action; 422 if a payment's
 * amount is not the amount due, or a refund's is more than can be refunded.
 */
export function decide(order: OrderState, action: Action): Transition {
  switch (action.name) {
    case "payments":
      return pay(order, action);
    case "fulfill":
      if (!mayFulfill(order)) throw invalidTransition(order, "fulfilled");
      return {
        event: "order.fulfilled",
        changes: {
          status: "fulfilled",
          trackingNumber: action.trackingNumber,
          carrier: action.carrier,
        },
        extra: {},
      };
    case "deliver":
      if (!mayDeliver(order)) throw invalidTransition(order, "delivered");
      return { event: "order.delivered", changes: { status: "delivered" }, extra: {} };
    case "cancel":
      return cancel(order, action);
    case "refund":
      return refund(order, action);
  }
}

function pay(order: OrderState, action: PaymentAction): Transition {
  if (order.status === "cancelled") throw refusal("order_cancelled", "The order is cancelled.", order);
  if (!mayBePaid(order)) throw refusal("order_already_paid", "The order is already paid.", order);
  const due = payableTotal(order);
  const amount = amountOf(action.amount, order, due);
  const payment = { status: action.status, amount: numberOf(amount), reference: action.reference };
  if (action.status === "failed") {
    return { event: "order.payment_failed", changes: { paymentStatus: "failed" }, extra: { payment } };
  }
  if (amount !== due) throw invalidAmount(`must be the amount due, ${numberOf(due)}`);
  return {
    event: "order.paid",
    changes: { paymentStatus: "paid", paidTotal: numberOf(due) },
    extra: { payment },
  };
}

function cancel(order: OrderState, action: CancelAction): Transition {
  if (order.status !== "placed") throw invalidTransition(order, "cancelled");
  if (holdsMoney(order)) throw refusal("refund_required", "Refund the order before you cancel it.", order);
  return {
    event: "order.cancelled",
    changes: { status: "cancelled", cancelReason: action.reason },
    extra: {},
  };
}

function refund(order: OrderState, action: RefundAction): Transition {
  if (order.paymentStatus === "unpaid" || order.paymentStatus === "failed") {
    throw refusal("order_not_paid", "The order is not paid.", order);
  }
  const refundable = refundableOf(order);
  if (refundable === 0n) {
    throw refusal("nothing_to_refund", "The whole payment is already refunded.", order);
  }
  const amount = amountOf(action.amount, order, refundable);
  if (amount === 0n) throw invalidAmount("must be more than 0");
  if (amount > refundable) {
    throw invalidAmount(`must be at most ${numberOf(refundable)}, the amount not yet refunded`);
  }
  return {
    event: "order.refunded",
    changes: {
      paymentStatus: amount === refundable ? "refunded" : "partially_refunded",
      refundedTotal: numberOf(unitsOf(order.refundedTotal) + amount),
    },
    extra: { refund: { amount: numberOf(amount), reason: action.reason, reference: action.reference } },
  };
}

/** An earlier payment or refund of the order that has the action's reference. */
export interface Recorded {
  readonly status?: string;
  readonly amount: number;
}

/**
 * Reports whether the action repeats one of `recorded`: the order's payments, or its refunds, with the action's reference. A
 * repetition changes nothing, whatever the state of the order.
 *
 * @throws 409 `reference_reused` with the order's state if the reference belongs to another amount.
 */
export function isRecorded(order: OrderState, action: Action, recorded: readonly Recorded[]): boolean {
  if (action.name !== "payments" && action.name !== "refund") return false;
  const status = action.name === "payments" ? action.status : undefined;
  const { amount } = action;
  if (recorded.some((one) => one.status === status && (amount === undefined || one.amount === amount))) {
    return true;
  }
  // A recorded refund always has an amount, so this is a payment whose earlier report had another status.
  const wanted = amount ?? numberOf(payableTotal(order));
  if (recorded.every((one) => one.amount === wanted)) return false;
  const what = action.name === "payments" ? "payment" : "refund";
  throw refusal("reference_reused", `A ${what} of another amount has this reference.`, order);
}

export function derivedFields(
  order: OrderState,
): Pick<Order, "payableTotal" | "amountDue" | "allowedActions"> {
  const payable = numberOf(payableTotal(order));
  return {
    payableTotal: payable,
    amountDue: mayBePaid(order) ? payable : 0,
    allowedActions: allowedActions(order),
  };
}

/** Returns the total, rounded half up to the currency's minor unit, in ten-thousandths. No other amount is ever rounded. */
function payableTotal(order: Pick<OrderState, "total" | "currency">): bigint {
  return roundHalfUp(unitsOf(order.total), minorDigitsOf(order.currency) ?? DECIMALS_MAX);
}

function amountOf(supplied: number | undefined, order: OrderState, defaultAmount: bigint): bigint {
  if (supplied === undefined) return defaultAmount;
  const digits = minorDigitsOf(order.currency) ?? DECIMALS_MAX;
  if (hasDecimalsAtMost(supplied, digits)) return unitsOf(supplied);
  throw invalidAmount(`must have ${digits === 0 ? "no" : `at most ${digits}`} decimals in ${order.currency}`);
}

function mayBePaid({ status, paymentStatus }: OrderState): boolean {
  return status !== "cancelled" && (paymentStatus === "unpaid" || paymentStatus === "failed");
}

function mayFulfill({ status, paymentStatus }: OrderState): boolean {
  return status === "placed" && paymentStatus !== "refunded";
}

function mayDeliver({ status }: OrderState): boolean {
  return status === "fulfilled";
}

// Reports whether the order holds money. A paid order of 0 does not, so it can be cancelled without a refund.
function holdsMoney(order: OrderState): boolean {
  return refundableOf(order) > 0n;
}

function refundableOf({ paidTotal, refundedTotal }: OrderState): bigint {
  return unitsOf(paidTotal) - unitsOf(refundedTotal);
}

function invalidAmount(message: string): ApiError {
  return invalid([{ path: "amount", message }]);
}

function invalidTransition(order: OrderState, wanted: string): ApiError {
  const { status, paymentStatus } = order;
  const now = status === "placed" ? `${status} and ${paymentStatus}` : status;
  return refusal("invalid_transition", `An order that is ${now} cannot be ${wanted}.`, order);
}

type RefusalCode =
  | "order_already_paid"
  | "order_cancelled"
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
  allowedActions: string[];
} {
  const { status, paymentStatus } = order;
  return { status, paymentStatus, allowedActions: allowedActions(order) };
}

function allowedActions(order: OrderState): Action["name"][] {
  const allowed: Record<Action["name"], boolean> = {
    payments: mayBePaid(order),
    fulfill: mayFulfill(order),
    deliver: mayDeliver(order),
    cancel: order.status === "placed" && !holdsMoney(order),
    refund: refundableOf(order) > 0n,
  };
  return (Object.keys(allowed) as Action["name"][]).filter((name) => allowed[name]);
}
