// What may happen to an order after it is placed, and what it then becomes: the table of contract §4. Pure.
import { ApiError, type FieldFault, invalid } from "@tradepost/http";
import { DECIMALS_MAX, hasDecimalsAtMost, minorDigitsOf, numberOf, roundHalfUp, unitsOf } from "./money.ts";
import type { Order, OrderStatus, PaymentStatus } from "./order-resource.ts";

/** What a caller asks for, as `POST /v1/orders/{id}/{action}` takes it; amounts in currency units. */
export type Action =
  | {
      readonly name: "payments";
      readonly status: "succeeded" | "failed";
      readonly amount?: number | undefined;
      readonly reference?: string | undefined;
    }
  | {
      readonly name: "fulfill";
      readonly trackingNumber?: string | undefined;
      readonly carrier?: string | undefined;
    }
  | { readonly name: "deliver" }
  | { readonly name: "cancel"; readonly reason?: string | undefined }
  | { readonly name: "refund"; readonly amount?: number | undefined; readonly reason?: string | undefined };

export type OrderState = Pick<
  Order,
  "status" | "paymentStatus" | "currency" | "total" | "paidTotal" | "refundedTotal"
>;

/** What an action makes of an order: its event, the fields that change, and what is told beside the order. */
export interface Transition {
  readonly event: string;
  readonly changed: Partial<Order>;
  /** Told by the event and the timeline; a payment or a refund is given its id by who writes it. */
  readonly beside: {
    readonly payment?: { status: string; amount: number; reference?: string | undefined };
    readonly refund?: { amount: number; reason?: string | undefined };
  };
}

/**
 * In: where the order stands, and what is asked for. Out: what becomes of it.
 * Throws the table's 409s, each with `state: {status, paymentStatus, allowedActions}` beside it, and 422 for an amount
 * that is not the one due or more than what is left. Rules about state come before rules about amounts.
 */
export function decide(order: OrderState, action: Action): Transition {
  switch (action.name) {
    case "payments":
      return pay(order, action);
    case "fulfill":
      if (!mayFulfill(order)) throw invalidTransition(order, "fulfilled");
      return {
        event: "order.fulfilled",
        changed: {
          status: "fulfilled",
          trackingNumber: action.trackingNumber,
          carrier: action.carrier,
        },
        beside: {},
      };
    case "deliver":
      if (!mayDeliver(order)) throw invalidTransition(order, "delivered");
      return { event: "order.delivered", changed: { status: "delivered" }, beside: {} };
    case "cancel":
      return cancel(order, action);
    case "refund":
      return refund(order, action);
  }
}

/** What may be asked for from here, named as the paths end: the `allowedActions` of a 409. */
function allowedActions(order: OrderState): Action["name"][] {
  const allowed = {
    payments: mayBePaid(order),
    fulfill: mayFulfill(order),
    deliver: mayDeliver(order),
    cancel: order.status === "placed" && !holdsMoney(order),
    refund: left(order) > 0n,
  };
  return (Object.keys(allowed) as Action["name"][]).filter((name) => allowed[name]);
}

/** The total rounded half-up to the currency's minor unit, in ten-thousandths: the only rounding there is. */
function amountDue(order: Pick<OrderState, "total" | "currency">): bigint {
  return roundHalfUp(unitsOf(order.total), minorDigitsOf(order.currency) ?? DECIMALS_MAX);
}

function pay(order: OrderState, action: Extract<Action, { name: "payments" }>): Transition {
  if (order.status === "cancelled") throw refusal("order_cancelled", "The order is cancelled.", order);
  if (!mayBePaid(order)) throw refusal("order_already_paid", "The order is paid already.", order);
  const due = amountDue(order);
  const amount = amountOf(action.amount, order, due);
  const payment = { status: action.status, amount: numberOf(amount), reference: action.reference };
  if (action.status === "failed") {
    return { event: "order.payment_failed", changed: { paymentStatus: "failed" }, beside: { payment } };
  }
  if (amount !== due)
    throw invalid([{ path: "amount", message: `must be the amount due, ${numberOf(due)}` }]);
  return {
    event: "order.paid",
    changed: { paymentStatus: "paid", paidTotal: numberOf(due) },
    beside: { payment },
  };
}

function cancel(order: OrderState, action: Extract<Action, { name: "cancel" }>): Transition {
  if (order.status !== "placed") throw invalidTransition(order, "cancelled");
  if (holdsMoney(order)) {
    throw refusal("refund_required", "The order holds money; refund it before it is cancelled.", order);
  }
  return {
    event: "order.cancelled",
    changed: { status: "cancelled", cancelReason: action.reason },
    beside: {},
  };
}

function refund(order: OrderState, action: Extract<Action, { name: "refund" }>): Transition {
  if (order.paymentStatus === "unpaid" || order.paymentStatus === "failed") {
    throw refusal("order_not_paid", "The order is not paid.", order);
  }
  const refundable = left(order);
  if (refundable === 0n) throw refusal("nothing_to_refund", "All that was paid is refunded.", order);
  const amount = amountOf(action.amount, order, refundable);
  if (amount === 0n) throw invalid([{ path: "amount", message: "must be more than 0" }]);
  if (amount > refundable) {
    throw invalid([{ path: "amount", message: `must be at most what is left, ${numberOf(refundable)}` }]);
  }
  const isAll = amount === refundable;
  return {
    event: "order.refunded",
    changed: {
      paymentStatus: isAll ? "refunded" : "partially_refunded",
      refundedTotal: numberOf(unitsOf(order.refundedTotal) + amount),
    },
    beside: { refund: { amount: numberOf(amount), reason: action.reason } },
  };
}

function amountOf(given: number | undefined, order: OrderState, otherwise: bigint): bigint {
  if (given === undefined) return otherwise;
  const digits = minorDigitsOf(order.currency) ?? DECIMALS_MAX;
  if (hasDecimalsAtMost(given, digits)) return unitsOf(given);
  const fault: FieldFault = {
    path: "amount",
    message: `must have ${digits === 0 ? "no" : `at most ${digits}`} decimals in ${order.currency}`,
  };
  throw invalid([fault]);
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

// An order that came to nothing is paid with nothing; there is nothing to give back before it is cancelled.
function holdsMoney(order: OrderState): boolean {
  return left(order) > 0n;
}

/** What was paid and is not refunded, in ten-thousandths. */
function left({ paidTotal, refundedTotal }: OrderState): bigint {
  return unitsOf(paidTotal) - unitsOf(refundedTotal);
}

function invalidTransition(order: OrderState, wanted: string): ApiError {
  const { status, paymentStatus } = order;
  const now = status === "placed" ? `${status} and ${paymentStatus}` : status;
  return refusal("invalid_transition", `An order that is ${now} cannot be ${wanted}.`, order);
}

type Refusal = "order_already_paid" | "order_cancelled" | "order_not_paid" | "nothing_to_refund";

function refusal(
  code: Refusal | "refund_required" | "invalid_transition",
  message: string,
  order: OrderState,
): ApiError {
  const state: { status: OrderStatus; paymentStatus: PaymentStatus; allowedActions: string[] } = {
    status: order.status,
    paymentStatus: order.paymentStatus,
    allowedActions: allowedActions(order),
  };
  return new ApiError(code, message, { beside: { state } });
}
