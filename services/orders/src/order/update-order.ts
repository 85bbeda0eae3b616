// Changes the notes, metadata, addresses or parcel of an order, with timeline entry and event, for the change feed only, in one
// statement.
import { isDeepStrictEqual } from "node:util";
import { type ApiResponse, notFound, required, requireMatch } from "@tradepost/http";
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
import { type Order, orderResponse, type Shipment, shownInEvents } from "./order-resource.ts";
import { findOrder } from "./order-store.ts";
import { NEW_WORDS, searchOfOrder } from "./search-order.ts";
import { storedShipments } from "./shipments.ts";

// Each failed write means that somebody else's change has committed.
const TRIES_MAX = 100;

interface Change {
  readonly changeOf: (before: Order) => OrderChange;
  /** The latest one by default. */
  readonly shipmentId?: string | undefined;
}

/**
 * Changing nothing leaves the version as it is.
 * @throws 404; 412 if `ifMatch`, the header, names another version; 409 `customer_erased` or `quota_exceeded`; what `decideUpdate` throws.
 */
export async function updateOrder(
  tenant: Tenant<Tables>,
  orderId: string,
  { changeOf, shipmentId }: Change,
  ifMatch: string | undefined,
  cause: Cause,
): Promise<ApiResponse> {
  for (let tries = 0; tries < TRIES_MAX; tries += 1) {
    const before = required(await findOrder(tenant, orderId), "order");
    const shipment =
      shipmentId === undefined
        ? before.shipments.at(-1)
        : before.shipments.find(({ id }) => id === shipmentId.toLowerCase());
    if (shipmentId !== undefined && shipment === undefined) throw notFound("shipment");
    const change = changeOf(before);
    requireMatch(ifMatch, before.version);
    if (TEXTS.some((name) => name in change) && (await isErased(tenant, before.customerId)))
      throw customerErased({ state: stateOf(before) });
    const { order, changed, parcel } = decideUpdate(before, change, shipment);
    if (changed.length === 0) return orderResponse(before);
    admit(cause, "eventBytes");
    const pending = newPlaceholder();
    const written = { ...shownInEvents(order), version: before.version + 1, updatedAt: pending };
    const event = outboxRow("order.updated", order.id, { order: written }, cause);
    const { rows } = await tenant.query<Pick<Order, "version" | "updatedAt">>(
      updateStatement({
        ...{ order, pending, event, tracked: [parcel.trackingNumber] },
        details: { changed, ...parcel, ...(shipmentId !== undefined && { shipmentId: shipment?.id }) },
      }),
    );
    const [row] = rows;
    if (row !== undefined) return orderResponse({ ...order, ...row });
  }
  throw new Error(`the order's version changed ${TRIES_MAX} times`);
}

type Changeable = keyof OrderChange;

const TEXTS = ["customerNote", "internalNote", "metadata", "shippingAddress", "billingAddress"] as const;
const ADDRESSES = ["shippingAddress", "billingAddress"] as const;
const PARCEL = ["trackingNumber", "carrier"] as const;

/** @throws 409 `invalid_transition` for an address if the order is no longer placed, or a parcel if nothing is shipped. */
function decideUpdate(before: Order, change: OrderChange, shipment: Shipment | undefined) {
  if (before.status !== "placed" && ADDRESSES.some((name) => name in change)) {
    throw refusal(
      "invalid_transition",
      `The addresses of an order that is ${before.status} cannot change.`,
      before,
    );
  }
  if (shipment === undefined && PARCEL.some((name) => name in change)) {
    throw refusal("invalid_transition", `An order that is ${before.status} has no parcel to track.`, before);
  }
  const { trackingNumber, carrier } = shipment ?? {};
  const stored = { ...before, trackingNumber, carrier };
  const changed = (Object.keys(change) as Changeable[]).filter(
    (name) => !isDeepStrictEqual(change[name] ?? undefined, stored[name]),
  );
  const valuesOf = (names: readonly Changeable[]) =>
    Object.fromEntries(names.map((name) => [name, change[name] ?? undefined]));
  const parcel: Pick<Shipment, (typeof PARCEL)[number]> = valuesOf(
    PARCEL.filter((name) => changed.includes(name)),
  );
  const order = {
    ...before,
    ...valuesOf(changed),
    shipments: before.shipments.map((one) => (one === shipment ? { ...one, ...parcel } : one)),
  };
  const latest = order.shipments.at(-1);
  return {
    order: { ...order, trackingNumber: latest?.trackingNumber, carrier: latest?.carrier },
    changed,
    parcel,
  };
}

interface Update {
  readonly order: Order;
  readonly tracked: readonly (string | undefined)[];
  readonly details: object;
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
           tracking_number = $order.tracking_number, carrier = $order.carrier, shipments = $order.shipments,
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
      shipments: ({ order }) => storedShipments(order),
    },
    search: searchOfOrder,
    pending: placeholderColumns,
    entry: { details: ({ details }) => JSON.stringify(details) },
    event: { ...eventColumns, data: ({ event }) => event.data },
  },
);
