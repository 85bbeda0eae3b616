// The life of one order as its clients see it (interface §4), one request after the other. It shares no code with the service. Pure.
import { isDeepStrictEqual } from "node:util";
import type { Model } from "./linearize.ts";

/** Requests about an order that is known by its external id before it exists. */
export type OrderRequest = { readonly ifMatch?: number | undefined } & (
  | { readonly name: "place" | "list" | "read" | "timeline" | "fulfill" | "deliver" | "cancel" }
  | {
      readonly name: "pay";
      readonly outcome: "succeeded" | "failed";
      readonly reference?: string | undefined;
    }
  | { readonly name: "refund"; readonly amount: number; readonly reference?: string | undefined }
  | { readonly name: "patch"; readonly note: string }
);

export interface ShownOrder {
  readonly version: number;
  readonly status: "placed" | "fulfilled" | "delivered" | "cancelled";
  readonly paymentStatus: "unpaid" | "failed" | "paid" | "partially_refunded" | "refunded";
  readonly refunded: number;
  readonly note: string | null;
}

export type OrderResponse =
  | { readonly status: 200 | 201; readonly order: ShownOrder }
  | { readonly status: 200; readonly orders: readonly ShownOrder[] }
  | { readonly status: 200; readonly timeline: readonly string[] }
  | { readonly status: number; readonly code: string; readonly state?: readonly string[] };

export interface OrderState extends ShownOrder {
  /** The newest first, each as `entryOf` writes it. */
  readonly timeline: readonly string[];
  /** `<reference> <outcome>` of each payment that has a reference. */
  readonly payments: readonly string[];
  /** The amounts of the refunds that have a reference. */
  readonly refunds: Readonly<Record<string, number>>;
}

/** In units of the currency. */
export const TOTAL = 10;

export const NOT_PLACED: OrderState = {
  ...{ version: 0, status: "placed", paymentStatus: "unpaid", refunded: 0, note: null },
  ...{ timeline: [], payments: [], refunds: {} },
};

export const orderModel: Model<OrderState, OrderRequest, OrderResponse> = {
  initial: NOT_PLACED,
  step: (state, { request, response }) => {
    const { after, responds } = respond(state, request);
    if (response === null) return after === state ? null : after;
    return isDeepStrictEqual(responds, response) ? after : null;
  },
  keyOf: (state) => JSON.stringify(state),
};

interface Result {
  readonly after: OrderState;
  readonly responds: OrderResponse;
}

export function respond(order: OrderState, request: OrderRequest): Result {
  if (order.version === 0) return respondBefore(request);
  const { name, ifMatch } = request;
  const unchanged = (responds: OrderResponse): Result => ({ after: order, responds });
  if (name === "place") return unchanged({ status: 409, code: "order_exists" });
  if (name === "list") return unchanged({ status: 200, orders: [shown(order)] });
  if (name === "read") return unchanged({ status: 200, order: shown(order) });
  if (name === "timeline") return unchanged({ status: 200, timeline: order.timeline });
  if (ifMatch !== undefined && ifMatch !== order.version) {
    return unchanged({ status: 412, code: "version_mismatch" });
  }
  const change = changeOf(order, request);
  if ("refused" in change) return unchanged(refusal(order, change.refused));
  const after = change.type === null ? order : changed(order, change);
  return { after, responds: { status: 200, order: shown(after) } };
}

function respondBefore(request: OrderRequest): Result {
  if (request.name === "list") return { after: NOT_PLACED, responds: { status: 200, orders: [] } };
  if (request.name !== "place") return { after: NOT_PLACED, responds: { status: 404, code: "not_found" } };
  const after = changed(NOT_PLACED, { type: "order.placed", to: {} });
  return { after, responds: { status: 201, order: shown(after) } };
}

/** What a request changes. `type` is null if it changes nothing. */
type Change =
  | { readonly type: string | null; readonly to: Partial<OrderState>; readonly amount?: number }
  | { readonly refused: string };

const NOTHING = { type: null, to: {} } as const;

function changeOf(order: OrderState, request: OrderRequest): Change {
  const { status, paymentStatus } = order;
  switch (request.name) {
    case "pay":
      return pay(order, request.outcome, request.reference);
    case "refund":
      return refund(order, request.amount, request.reference);
    case "fulfill":
      if (status !== "placed" || paymentStatus === "refunded") return { refused: "invalid_transition" };
      return { type: "order.fulfilled", to: { status: "fulfilled" } };
    case "deliver":
      if (status !== "fulfilled") return { refused: "invalid_transition" };
      return { type: "order.delivered", to: { status: "delivered" } };
    case "cancel":
      if (status !== "placed") return { refused: "invalid_transition" };
      if (held(order) > 0) return { refused: "refund_required" };
      return { type: "order.cancelled", to: { status: "cancelled" } };
    case "patch":
      return order.note === request.note ? NOTHING : { type: "order.updated", to: { note: request.note } };
    default:
      throw new Error(`${request.name} changes nothing`);
  }
}

// The amount is always the one that is due, so a reference never belongs to another amount.
function pay(order: OrderState, outcome: "succeeded" | "failed", reference: string | undefined): Change {
  const payment = `${reference} ${outcome}`;
  if (order.payments.includes(payment)) return NOTHING;
  if (order.status === "cancelled") return { refused: "order_cancelled" };
  if (!["unpaid", "failed"].includes(order.paymentStatus)) return { refused: "order_already_paid" };
  const payments = reference === undefined ? order.payments : [...order.payments, payment];
  return outcome === "succeeded"
    ? { type: "order.paid", to: { paymentStatus: "paid", payments }, amount: TOTAL }
    : { type: "order.payment_failed", to: { paymentStatus: "failed", payments }, amount: TOTAL };
}

function refund(order: OrderState, amount: number, reference: string | undefined): Change {
  const recorded = reference === undefined ? undefined : order.refunds[reference];
  if (recorded !== undefined) return recorded === amount ? NOTHING : { refused: "reference_reused" };
  if (["unpaid", "failed"].includes(order.paymentStatus)) return { refused: "order_not_paid" };
  if (held(order) === 0) return { refused: "nothing_to_refund" };
  if (amount > held(order)) return { refused: "validation_error" };
  const to: Partial<OrderState> = {
    paymentStatus: amount === held(order) ? "refunded" : "partially_refunded",
    refunded: order.refunded + amount,
    ...(reference !== undefined && { refunds: { ...order.refunds, [reference]: amount } }),
  };
  return { type: "order.refunded", to, amount };
}

function held({ paymentStatus, refunded }: ShownOrder): number {
  return paymentStatus === "unpaid" || paymentStatus === "failed" ? 0 : TOTAL - refunded;
}

function changed(order: OrderState, { type, to, amount }: Exclude<Change, { refused: string }>): OrderState {
  const after = { ...order, ...to, version: order.version + 1 };
  return { ...after, timeline: [entryOf({ type: type ?? "", ...after, amount }), ...order.timeline] };
}

function refusal({ status, paymentStatus }: OrderState, code: string): OrderResponse {
  if (code === "validation_error") return { status: 422, code };
  return { status: 409, code, state: [status, paymentStatus] };
}

function shown({ version, status, paymentStatus, refunded, note }: ShownOrder): ShownOrder {
  return { version, status, paymentStatus, refunded, note };
}

export function entryOf(entry: {
  type: string;
  version: number;
  status: string;
  paymentStatus: string;
  amount?: number | undefined;
}): string {
  const { type, version, status, paymentStatus, amount } = entry;
  return `${version} ${type} ${status} ${paymentStatus} ${amount ?? ""}`.trimEnd();
}
