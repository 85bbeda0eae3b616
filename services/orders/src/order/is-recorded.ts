// Recognises a payment or a refund that is reported again, by its reference (interface §4). Pure.
import type { Action } from "./action-input.ts";
import { type OrderState, payableTotal, refusal } from "./lifecycle.ts";
import { numberOf } from "./money.ts";

/** An earlier payment of the order, or an earlier refund, with the reference of the action. */
export interface Recorded {
  /** Of a payment. */
  readonly status?: string;
  readonly amount: number;
}

/**
 * True if the action reports one of `recorded` again: the order's payments, or its refunds, with the action's reference. Then
 * nothing changes, whatever the state of the order.
 * @throws 409 `reference_reused` with the order's state if the reference belongs to another amount.
 */
export function isRecorded(order: OrderState, action: Action, recorded: readonly Recorded[]): boolean {
  if (action.name !== "payments" && action.name !== "refund") return false;
  const status = action.name === "payments" ? action.status : undefined;
  const { amount } = action;
  if (recorded.some((one) => one.status === status && (amount === undefined || one.amount === amount))) {
    return true;
  }
  // Here only a payment can be without an amount: one whose earlier report had another status.
  const wanted = amount ?? numberOf(payableTotal(order));
  if (recorded.every((one) => one.amount === wanted)) return false;
  const what = action.name === "payments" ? "payment" : "refund";
  throw refusal("reference_reused", `A ${what} of another amount has this reference.`, order);
}
