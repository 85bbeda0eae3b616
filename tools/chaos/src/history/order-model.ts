// The life of an order as its clients see it (interface §4), one request after the other. The model shares no code with the service. Pure.
import { modelOf } from "./linearize.ts";

/** Requests about an order that is known by its external id before it exists. Units belong to its only line. */
export type OrderRequest = { readonly ifMatch?: number | undefined } & (
  | { readonly name: "place" | "list" | "read" | "timeline" | "deliver" }
  | { readonly name: "fulfill"; readonly units?: number | undefined }
  | { readonly name: "cancel"; readonly refund?: boolean | undefined }
  | {
      readonly name: "pay";
      readonly outcome: "succeeded" | "failed";
      readonly amount?: number | undefined;
      readonly reference?: string | undefined;
    }
  | {
      readonly name: "refund";
      readonly amount?: number | undefined;
      readonly units?: number | undefined;
      readonly reference?: string | undefined;
    }
  | { readonly name: "patch"; readonly note: string }
);

export interface ShownOrder {
  readonly version: number;
  readonly status: "placed" | "fulfilled" | "delivered" | "cancelled";
  readonly paymentStatus: "unpaid" | "failed" | "partially_paid" | "paid" | "partially_refunded" | "refunded";
  readonly paid: number;
  readonly refunded: number;
  readonly refundedUnits: number;
  /** The units of each shipment; negative once it is delivered. */
  readonly shipments: readonly number[];
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
  /** The payments and the refunds that have a reference. */
  readonly payments: readonly Recorded[];
  readonly refunds: readonly Recorded[];
}

interface Recorded {
  readonly reference: string;
  readonly amount: number;
  readonly outcome?: "succeeded" | "failed";
  readonly units?: number | undefined;
}

/** The price of each order's only line, in units of the currency. */
export const PRICE = 4;
export const UNITS = 6;
const TOTAL = PRICE * UNITS;

export const NOT_PLACED: OrderState = {
  version: 0,
  status: "placed",
  paymentStatus: "unpaid",
  note: null,
  paid: 0,
  refunded: 0,
  refundedUnits: 0,
  shipments: [],
  timeline: [],
  payments: [],
  refunds: [],
};

export const orderModel = modelOf(NOT_PLACED, respond);

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
  const changes = changesOf(order, request);
  if (typeof changes === "string") return unchanged(refusal(order, changes));
  const after = changes.reduce(changed, order);
  return { after, responds: { status: 200, order: shown(after) } };
}

function respondBefore(request: OrderRequest): Result {
  if (request.name === "list") return { after: NOT_PLACED, responds: { status: 200, orders: [] } };
  if (request.name !== "place") return { after: NOT_PLACED, responds: { status: 404, code: "not_found" } };
  const after = changed(NOT_PLACED, { type: "order.placed", to: {} });
  return { after, responds: { status: 201, order: shown(after) } };
}

interface Change {
  readonly type: string;
  readonly to: Partial<OrderState>;
  readonly amount?: number;
}

/** Returns what a request changes, which may be nothing, or the code of the refusal. */
function changesOf(order: OrderState, request: OrderRequest): readonly Change[] | string {
  switch (request.name) {
    case "pay":
      return pay(order, request);
    case "refund":
      return refund(order, request);
    case "fulfill":
      return fulfill(order, request.units ?? unshipped(order));
    case "deliver":
      return deliver(order);
    case "cancel":
      return cancel(order, request.refund === true);
    case "patch":
      return order.note === request.note ? [] : [{ type: "order.updated", to: { note: request.note } }];
    default:
      throw new Error(`${request.name} changes nothing`);
  }
}

function pay(
  order: OrderState,
  { outcome, amount: wanted, reference }: Extract<OrderRequest, { name: "pay" }>,
): readonly Change[] | string {
  const isOpen =
    order.status !== "cancelled" && ["unpaid", "failed", "partially_paid"].includes(order.paymentStatus);
  const due = TOTAL - order.paid;
  const recorded = order.payments.filter((one) => one.reference === reference);
  // Without an amount, a successful payment is for all that is due.
  const asked = wanted ?? (isOpen && outcome === "succeeded" ? due : undefined);
  if (recorded.some((one) => one.outcome === outcome && (asked ?? one.amount) === one.amount)) return [];
  if (recorded.some((one) => one.amount !== (wanted ?? (isOpen ? due : TOTAL)))) return "reference_reused";
  if (order.status === "cancelled") return "order_cancelled";
  if (!isOpen) return order.paid === TOTAL ? "order_already_paid" : "order_refunded";
  const amount = wanted ?? due;
  const payments =
    reference === undefined ? order.payments : [...order.payments, { reference, outcome, amount }];
  if (outcome === "failed") {
    const paymentStatus = order.paid > 0 ? "partially_paid" : "failed";
    return [{ type: "order.payment_failed", to: { paymentStatus, payments }, amount }];
  }
  if (amount > due) return "validation_error";
  const type = amount === due ? "order.paid" : "order.updated";
  const paymentStatus = amount === due ? "paid" : "partially_paid";
  return [{ type, to: { paymentStatus, paid: order.paid + amount, payments }, amount }];
}

function refund(
  order: OrderState,
  { amount: wanted, units, reference }: Omit<Extract<OrderRequest, { name: "refund" }>, "name">,
): readonly Change[] | string {
  const recorded = order.refunds.find((one) => one.reference === reference);
  const held = order.paid - order.refunded;
  if (recorded !== undefined) {
    const isSame = recorded.units === units && (wanted ?? recorded.amount) === recorded.amount;
    // Without amount and units, a refund is for all that is left.
    const isRepeated = wanted === undefined && units === undefined ? held === 0 : isSame;
    return isRepeated ? [] : "reference_reused";
  }
  if (order.paid === 0) return "order_not_paid";
  if (held === 0) return "nothing_to_refund";
  const amount = wanted ?? Math.min(held, units === undefined ? held : units * PRICE);
  if (amount > held || (units ?? 0) > UNITS - order.refundedUnits) return "validation_error";
  const to: Partial<OrderState> = {
    paymentStatus: amount === held ? "refunded" : "partially_refunded",
    refunded: order.refunded + amount,
    refundedUnits: order.refundedUnits + (units ?? 0),
    ...(reference !== undefined && { refunds: [...order.refunds, { reference, amount, units }] }),
  };
  return [{ type: "order.refunded", to, amount }];
}

function fulfill(order: OrderState, units: number): readonly Change[] | string {
  if (order.status !== "placed" || order.paymentStatus === "refunded") return "invalid_transition";
  if (units > unshipped(order)) return "validation_error";
  const shipments = [...order.shipments, units];
  return units === unshipped(order)
    ? [{ type: "order.fulfilled", to: { status: "fulfilled", shipments } }]
    : [{ type: "order.updated", to: { shipments } }];
}

function deliver(order: OrderState): readonly Change[] | string {
  if (order.shipments.every((units) => units < 0)) return "invalid_transition";
  const shipments = order.shipments.map((units) => -Math.abs(units));
  return unshipped(order) === 0
    ? [{ type: "order.delivered", to: { status: "delivered", shipments } }]
    : [{ type: "order.updated", to: { shipments } }];
}

function cancel(order: OrderState, refundsFirst: boolean): readonly Change[] | string {
  if (order.status !== "placed" || order.shipments.length > 0) return "invalid_transition";
  const isHeld = order.paid > order.refunded;
  if (isHeld && !refundsFirst) return "refund_required";
  const refunded = isHeld ? refund(order, {}) : [];
  if (typeof refunded === "string") return refunded;
  return [...refunded, { type: "order.cancelled", to: { status: "cancelled" } }];
}

function unshipped({ shipments }: ShownOrder): number {
  return shipments.reduce((left, units) => left - Math.abs(units), UNITS);
}

function changed(order: OrderState, { type, to, amount }: Change): OrderState {
  const after = { ...order, ...to, version: order.version + 1 };
  return { ...after, timeline: [entryOf({ type, ...after, amount }), ...order.timeline] };
}

function refusal({ status, paymentStatus }: OrderState, code: string): OrderResponse {
  if (code === "validation_error") return { status: 422, code };
  return { status: 409, code, state: [status, paymentStatus] };
}

function shown({ timeline: _, payments: __, refunds: ___, ...order }: OrderState): ShownOrder {
  return order;
}

export interface Entry {
  readonly type: string;
  readonly version: number;
  readonly status: string;
  readonly paymentStatus: string;
}

export function entryOf(entry: Entry & { amount?: number | undefined }): string {
  const { type, version, status, paymentStatus, amount } = entry;
  return `${version} ${type} ${status} ${paymentStatus} ${amount ?? ""}`.trimEnd();
}
