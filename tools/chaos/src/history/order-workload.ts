// Requests about orders that several clients place, pay, refund and change at the same time (interface §4).
import { randomUUID } from "node:crypto";
import {
  entryOf,
  type OrderRequest,
  type OrderResponse,
  type OrderState,
  orderModel,
  type ShownOrder,
  TOTAL,
} from "./order-model.ts";
import type { Workload } from "./workload.ts";

export interface WorkedOrder {
  readonly externalId: string;
  /** Null until a client has seen it. */
  id: string | null;
  version: number;
}

const ACTIONS = {
  pay: "payments",
  refund: "refund",
  fulfill: "fulfill",
  deliver: "deliver",
  cancel: "cancel",
};
const CHANNEL = "storefront";

export const orderWorkload: Workload<WorkedOrder, OrderState, OrderRequest, OrderResponse> = {
  model: orderModel,
  create: () => ({ externalId: randomUUID(), id: null, version: 0 }),
  choose: ({ version }, random) => newOrderRequest(version, random),
  lastOf: ({ id }) => ({ name: id === null ? "list" : "timeline" }),
  httpOf: ({ externalId, id }, request, { customerId }) => {
    const path = `/v1/orders/${id}`;
    const { ifMatch } = request;
    const headers = ifMatch === undefined ? {} : { "if-match": `"${ifMatch}"` };
    switch (request.name) {
      case "place": {
        const items = [{ sku: "CHAOS", name: "Chaos", quantity: 1, unitPrice: TOTAL }];
        const body = { customerId, channel: CHANNEL, externalId, currency: "EUR", items };
        return { method: "POST", path: "/v1/orders", body };
      }
      case "list":
        return { method: "GET", path: `/v1/orders?channel=${CHANNEL}&externalId=${externalId}` };
      case "read":
        return { method: "GET", path };
      case "timeline":
        return { method: "GET", path: `${path}/timeline?limit=100` };
      case "patch":
        return { method: "PATCH", path, headers, body: { customerNote: request.note } };
      default: {
        const { name, ifMatch: _, ...fields } = request;
        const { outcome: status, ...body } = { outcome: undefined, ...fields };
        return { method: "POST", path: `${path}/${ACTIONS[name]}`, headers, body: { ...body, status } };
      }
    }
  },
  responseOf: (known, { status, body: { data, error, page } }, mayShowLost) => {
    const order = mayShowLost ? { ...known } : known;
    if (error !== undefined) {
      if (error.code === "order_exists") order.id ??= error.orderId;
      const state = error.state && [error.state.status, error.state.paymentStatus];
      return { status, code: error.code, ...(state && { state }) };
    }
    if (page === undefined) return { status: status as 200, order: shownOf(order, data) };
    if (data[0]?.type === undefined) {
      return { status: 200, orders: data.map((one: ApiOrder) => shownOf(order, one)) };
    }
    return { status: 200, timeline: data.map(timelineEntryOf) };
  },
};

interface ApiOrder extends Omit<ShownOrder, "refunded" | "note"> {
  readonly id: string;
  readonly refundedTotal: number;
  readonly customerNote?: string | null;
}

function shownOf(known: WorkedOrder, order: ApiOrder): ShownOrder {
  const { id, version, status, paymentStatus, refundedTotal, customerNote = null } = order;
  known.id ??= id;
  // Another order with the same external id: no state of the model has this version.
  if (known.id !== id) return { version: -1, status, paymentStatus, refunded: refundedTotal, note: id };
  known.version = Math.max(known.version, version);
  return { version, status, paymentStatus, refunded: refundedTotal, note: customerNote };
}

/** An entry of the timeline, or an event of the feed with its order's fields, as the model writes it. */
export function timelineEntryOf(entry: {
  type: string;
  version: number;
  status: string;
  paymentStatus: string;
  payment?: { amount: number };
  refund?: { amount: number };
}): string {
  return entryOf({ ...entry, amount: (entry.payment ?? entry.refund)?.amount });
}

// More requests that change the order than in real life, and few that end it early.
const WEIGHTS: Readonly<Record<OrderRequest["name"], number>> = {
  ...{ place: 2, read: 20, list: 6, timeline: 8 },
  ...{ pay: 16, refund: 18, patch: 16, fulfill: 4, deliver: 4, cancel: 3 },
};
const NAMES = (Object.keys(WEIGHTS) as OrderRequest["name"][]).flatMap((name) =>
  Array<OrderRequest["name"]>(WEIGHTS[name]).fill(name),
);
const REFERENCES = ["a", "b", "c"];
const NOTES = ["ring twice", "leave at the door", "call first"];
const REFUND_MAX = 3;

/** `version` is one that the client has seen; 0 if it does not know that the order exists. */
export function newOrderRequest(version: number, random: () => number): OrderRequest {
  const oneOf = <Item>(items: readonly Item[]) => items[Math.floor(random() * items.length)] as Item;
  if (version === 0) return { name: oneOf(["place", "list"] as const) };
  const name = oneOf(NAMES);
  const ifMatch = random() < 0.3 ? { ifMatch: version } : {};
  const reference = random() < 0.4 ? { reference: oneOf(REFERENCES) } : {};
  switch (name) {
    case "pay":
      return { name, outcome: random() < 0.6 ? "succeeded" : "failed", ...reference, ...ifMatch };
    case "refund":
      return { name, amount: 1 + Math.floor(random() * REFUND_MAX), ...reference, ...ifMatch };
    case "patch":
      return { name, note: oneOf(NOTES), ...ifMatch };
    case "fulfill":
    case "deliver":
    case "cancel":
      return { name, ...ifMatch };
    default:
      return { name };
  }
}
