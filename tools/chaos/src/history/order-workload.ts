// Requests about orders that several clients place, pay, refund and change at the same time (interface §4).
import { randomUUID } from "node:crypto";
import {
  type Entry,
  entryOf,
  type OrderRequest,
  type OrderResponse,
  type OrderState,
  orderModel,
  PRICE,
  type ShownOrder,
  UNITS,
} from "./order-model.ts";
import type { Workload } from "./workload.ts";

export interface WorkedOrder {
  readonly externalId: string;
  /** Null until a client has seen it. */
  id: string | null;
  /** The id of its line, once a client has seen it. */
  lineId?: string | undefined;
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
  httpOf: ({ externalId, id, lineId }, request, { customerId }) => {
    const path = `/v1/orders/${id}`;
    const { ifMatch } = request;
    const headers = ifMatch === undefined ? {} : { "if-match": `"${ifMatch}"` };
    switch (request.name) {
      case "place": {
        const items = [{ sku: "CHAOS", name: "Chaos", quantity: UNITS, unitPrice: PRICE }];
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
        const { outcome: status, units, ...more } = { outcome: undefined, units: undefined, ...fields };
        const lines = units === undefined ? undefined : [{ lineId, quantity: units }];
        const body = { ...more, status, lines };
        return { method: "POST", path: `${path}/${ACTIONS[name]}`, headers, body };
      }
    }
  },
  responseOf: (order, { status, body: { data, error, page } }) => {
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

interface ApiOrder extends Pick<ShownOrder, "version" | "status" | "paymentStatus"> {
  readonly id: string;
  readonly paidTotal: number;
  readonly refundedTotal: number;
  readonly items: readonly { readonly id: string; readonly refundedQuantity: number }[];
  readonly shipments: readonly {
    readonly lines: readonly { readonly quantity: number }[];
    readonly deliveredAt?: string;
  }[];
  readonly customerNote?: string | null;
}

function shownOf(known: WorkedOrder, order: ApiOrder): ShownOrder {
  const { id, version, status, paymentStatus, items, shipments, customerNote = null } = order;
  known.id ??= id;
  const shown = {
    ...{ version, status, paymentStatus, paid: order.paidTotal, refunded: order.refundedTotal },
    refundedUnits: items[0]?.refundedQuantity ?? 0,
    shipments: shipments.map(({ lines, deliveredAt }) => (lines[0]?.quantity ?? 0) * (deliveredAt ? -1 : 1)),
    note: customerNote,
  };
  // Another order with the same external id: no state of the model has this version.
  if (known.id !== id) return { ...shown, version: -1, note: id };
  known.lineId = items[0]?.id;
  known.version = Math.max(known.version, version);
  return shown;
}

/** An entry of the timeline, or an event of the feed with its order's fields, as the model writes it. */
export function timelineEntryOf({ payment, refund, ...entry }: Entry & PaidOrRefunded): string {
  return entryOf({ ...entry, amount: (payment ?? refund)?.amount });
}

export interface PaidOrRefunded {
  readonly payment?: { readonly amount: number };
  readonly refund?: { readonly amount: number };
}

// More requests that change the order than in real life, and few that end it early.
const WEIGHTS: Readonly<Record<OrderRequest["name"], number>> = {
  ...{ place: 2, read: 20, list: 6, timeline: 8 },
  ...{ pay: 22, refund: 16, patch: 18, fulfill: 6, deliver: 3, cancel: 1 },
};
const NAMES = (Object.keys(WEIGHTS) as OrderRequest["name"][]).flatMap((name) =>
  Array<OrderRequest["name"]>(WEIGHTS[name]).fill(name),
);
const REFERENCES = ["a", "b", "c"];
const NOTES = ["ring twice", "leave at the door", "call first"];
const PAYMENT_MAX = 9;
const REFUND_MAX = 3;
const UNITS_MAX = 2;

/** `version` is one that the client has seen; 0 if it does not know that the order exists. */
export function newOrderRequest(version: number, random: () => number): OrderRequest {
  const oneOf = <Item>(items: readonly Item[]) => items[Math.floor(random() * items.length)] as Item;
  if (version === 0) return { name: oneOf(["place", "list"] as const) };
  const name = oneOf(NAMES);
  const ifMatch = random() < 0.3 ? { ifMatch: version } : {};
  const reference = random() < 0.4 ? { reference: oneOf(REFERENCES) } : {};
  const upTo = (most: number) => 1 + Math.floor(random() * most);
  const units = { units: upTo(UNITS_MAX) };
  switch (name) {
    case "pay": {
      const outcome = random() < 0.6 ? "succeeded" : "failed";
      const amount = random() < 0.7 ? { amount: upTo(PAYMENT_MAX) } : {};
      return { name, outcome, ...amount, ...reference, ...ifMatch };
    }
    case "refund":
      return { name, ...(random() < 0.6 ? { amount: upTo(REFUND_MAX) } : units), ...reference, ...ifMatch };
    case "patch":
      return { name, note: oneOf(NOTES), ...ifMatch };
    case "fulfill":
      return { name, ...(random() < 0.8 && units), ...ifMatch };
    case "cancel":
      return { name, refund: random() < 0.5, ...ifMatch };
    case "deliver":
      return { name, ...ifMatch };
    default:
      return { name };
  }
}
