// Changes the notes, metadata, addresses or parcel of an order, with its timeline entry and its event, in one statement. The
// event appears only in the change feed.
import { isDeepStrictEqual } from "node:util";
import { type ApiResponse, notFound, requireMatch } from "@tradepost/http";
import { admit, type Cause, type NewOutboxRow, outboxRow } from "@tradepost/messaging";
import {
  columnsOf,
  completeJson,
  jsonTimeOf,
  namedStatement,
  newPlaceholder,
  parametersOf,
  placeholderColumns,
  type Tenant,
} from "@tradepost/postgres";
import { eventColumns } from "../event-columns.ts";
import { customerErased, isErased } from "../refuse-erased.ts";
import type { Tables } from "../tables.ts";
import { NEXT_UPDATED_AT } from "../updated-within.ts";
import { refusal, stateOf } from "./lifecycle.ts";
import type { OrderChange } from "./order-input.ts";
import { type Order, orderResponse, shownInEvents } from "./order-resource.ts";
import { findOrder } from "./order-store.ts";
import { NEW_WORDS, searchOfOrder } from "./search-order.ts";

// If the write finds another version, someone else's change has committed, and this change is decided again.
const TRIES_MAX = 100;

/**
 * Returns 200 with the order. A change that changes nothing leaves the version as it is. `changeOf` returns the change of the order
 * as stored.
 * @throws 404; 412 if `ifMatch`, the header, names another version; 409 `customer_erased` or `quota_exceeded`; what `decideUpdate` throws.
 */
export async function updateOrder(
  tenant: Tenant<Tables>,
  orderId: string,
  changeOf: (before: Order) => OrderChange,
  ifMatch: string | undefined,
  cause: Cause,
): Promise<ApiResponse> {
  for (let tries = 0; tries < TRIES_MAX; tries += 1) {
    const before = await findOrder(tenant, orderId);
    if (before === null) throw notFound("order");
    const change = changeOf(before);
    requireMatch(ifMatch, before.version);
    if (TEXTS.some((name) => name in change) && (await isErased(tenant, before.customerId)))
      throw customerErased({ state: stateOf(before) });
    const { order, changed } = decideUpdate(before, change);
    if (changed.length === 0) return orderResponse(before);
    admit(cause, "eventBytes");
    const pending = newPlaceholder();
    const written = { ...shownInEvents(order), version: before.version + 1, updatedAt: pending };
    const event = outboxRow("order.updated", order.id, { order: written }, cause);
    const { rows } = await tenant.query<Pick<Order, "version" | "updatedAt">>(
      updateStatement({ order, changed, pending, event }),
    );
    const [row] = rows;
    if (row !== undefined) return orderResponse({ ...order, ...row });
  }
  throw new Error(`the order's version changed ${TRIES_MAX} times`);
}

type Changeable = keyof OrderChange;

/** The fields that may name a person. */
const TEXTS = ["customerNote", "internalNote", "metadata", "shippingAddress", "billingAddress"] as const;
const ADDRESSES = ["shippingAddress", "billingAddress"] as const;
const PARCEL = ["trackingNumber", "carrier"] as const;

/**
 * Returns the order with its new values, and the names of the fields that differ.
 *
 * @throws 409 `invalid_transition` if the change names an address and the order is no longer placed, or a parcel and the order is
 * not yet fulfilled.
 */
function decideUpdate(before: Order, change: OrderChange): { order: Order; changed: Changeable[] } {
  if (before.status !== "placed" && ADDRESSES.some((name) => name in change)) {
    throw refusal(
      "invalid_transition",
      `The addresses of an order that is ${before.status} cannot change.`,
      before,
    );
  }
  const isShipped = before.status === "fulfilled" || before.status === "delivered";
  if (!isShipped && PARCEL.some((name) => name in change)) {
    throw refusal("invalid_transition", `An order that is ${before.status} has no parcel to track.`, before);
  }
  const changed = (Object.keys(change) as Changeable[]).filter(
    (name) => !isDeepStrictEqual(change[name] ?? undefined, before[name]),
  );
  const values = Object.fromEntries(changed.map((name) => [name, change[name] ?? undefined]));
  return { order: { ...before, ...values }, changed };
}

interface Update {
  readonly order: Order;
  readonly changed: readonly string[];
  readonly pending: string;
  readonly event: NewOutboxRow;
}

const updateStatement = namedStatement<Update>(
  `
  with changed as (
    update orders
       set version = version + 1, updated_at = ${NEXT_UPDATED_AT}, customer_note = $order.customer_note,
           internal_note = $order.internal_note, metadata = $order.metadata,
           shipping_address = $order.shipping_address, billing_address = $order.billing_address,
           tracking_number = $order.tracking_number, carrier = $order.carrier,
           search_text = $search.text
     where tenant_id = $event.tenant_id and id = $event.aggregate_id and version = $order.version
    returning version, updated_at, created_at, status, payment_status
  ), ${NEW_WORDS}, timeline_entry as (
    insert into order_changes (tenant_id, order_id, version, type, status, payment_status, details, event_id, actor,
                               request_id, created_at)
    select $event.tenant_id, $event.aggregate_id, version, $event.type, status, payment_status, $entry.details,
           $event.event_id, $event.actor::json, $event.request_id, updated_at
      from changed
  ), event as (
    insert into outbox (${columnsOf(eventColumns)}, words_bytes, data, occurred_at)
    select ${parametersOf("event", eventColumns)}, $search.bytes, ${completeJson("$event.data", jsonTimeOf("updated_at"))}, updated_at
      from changed
  )
  select version, updated_at as "updatedAt" from changed`,
  {
    order: {
      version: ({ order }) => order.version,
      customer_note: ({ order }) => order.customerNote ?? null,
      internal_note: ({ order }) => order.internalNote ?? null,
      metadata: ({ order }) => order.metadata?.text ?? null,
      shipping_address: ({ order }) => order.shippingAddress?.text ?? null,
      billing_address: ({ order }) => order.billingAddress?.text ?? null,
      tracking_number: ({ order }) => order.trackingNumber ?? null,
      carrier: ({ order }) => order.carrier ?? null,
    },
    search: searchOfOrder,
    pending: placeholderColumns,
    entry: { details: ({ changed, order }) => JSON.stringify(detailsOf(changed, order)) },
    event: { ...eventColumns, data: ({ event }) => event.data },
  },
);

function detailsOf(changed: readonly string[], { trackingNumber, carrier }: Order) {
  return {
    changed,
    ...(changed.includes("trackingNumber") && { trackingNumber }),
    ...(changed.includes("carrier") && { carrier }),
  };
}
