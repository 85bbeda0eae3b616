// Changes the notes, metadata, addresses or parcel of an order, with its timeline entry, in one statement. There is no event.
import { type ApiResponse, notFound, requireMatch } from "@tradepost/http";
import type { Cause } from "@tradepost/messaging";
import type { TenantDatabase } from "@tradepost/postgres";
import { newId } from "@tradepost/runtime";
import { namedStatement } from "../named-statement.ts";
import type { Tables } from "../tables.ts";
import { NEXT_UPDATED_AT } from "../updated-within.ts";
import { decideUpdate } from "./decide-update.ts";
import type { OrderChange } from "./order-input.ts";
import { type Order, orderResponse } from "./order-resource.ts";
import { findOrder } from "./order-store.ts";
import { WITHOUT_EVENT } from "./timeline-store.ts";

// Each time the write finds another version, somebody else's change has committed, and this one is decided anew.
const TRIES_MAX = 100;

/**
 * Returns 200 with the order. A change that changes nothing leaves the version as it is.
 * @throws 404; 412 if `ifMatch`, the header, names another version; what `decideUpdate` throws.
 */
export async function updateOrder(
  tenant: TenantDatabase<Tables>,
  orderId: string,
  change: OrderChange,
  ifMatch: string | undefined,
  cause: Cause,
): Promise<ApiResponse> {
  for (let tries = 0; tries < TRIES_MAX; tries += 1) {
    const before = await findOrder(tenant, orderId);
    if (before === null) throw notFound("order");
    requireMatch(ifMatch, before.version);
    const { order, changed } = decideUpdate(before, change);
    if (changed.length === 0) return orderResponse(before);
    const { rows } = await tenant.query<Pick<Order, "version" | "updatedAt">>(
      updateStatement({ order, changed, tenantId: tenant.tenantId, entryId: newId(), cause }),
    );
    const [row] = rows;
    if (row !== undefined) return orderResponse({ ...order, ...row });
  }
  throw new Error(`the order's version changed ${TRIES_MAX} times`);
}

interface Update {
  /** The order with its new values and its old version. */
  readonly order: Order;
  readonly changed: readonly string[];
  readonly tenantId: string;
  readonly entryId: string;
  readonly cause: Cause;
}

const updateStatement = namedStatement<Update>(
  `
  with changed as (
    update orders
       set version = version + 1, updated_at = ${NEXT_UPDATED_AT}, customer_note = $order.customer_note,
           internal_note = $order.internal_note, metadata = $order.metadata,
           shipping_address = $order.shipping_address, billing_address = $order.billing_address,
           tracking_number = $order.tracking_number, carrier = $order.carrier
     where tenant_id = $order.tenant_id and id = $order.id and version = $order.version
    returning version, updated_at, status, payment_status
  ), timeline_entry as (
    insert into order_changes (tenant_id, order_id, version, type, status, payment_status, details, event_id, actor,
                               request_id, created_at)
    select $order.tenant_id, $order.id, version, '${WITHOUT_EVENT}', status, payment_status, $entry.details, $entry.id,
           $entry.actor, $entry.request_id, updated_at
      from changed
  )
  select version, updated_at as "updatedAt" from changed`,
  {
    order: {
      tenant_id: ({ tenantId }) => tenantId,
      id: ({ order }) => order.id,
      version: ({ order }) => order.version,
      customer_note: ({ order }) => order.customerNote ?? null,
      internal_note: ({ order }) => order.internalNote ?? null,
      metadata: ({ order }) => order.metadata?.text ?? null,
      shipping_address: ({ order }) => order.shippingAddress?.text ?? null,
      billing_address: ({ order }) => order.billingAddress?.text ?? null,
      tracking_number: ({ order }) => order.trackingNumber ?? null,
      carrier: ({ order }) => order.carrier ?? null,
    },
    entry: {
      id: ({ entryId }) => entryId,
      details: ({ changed, order }) => JSON.stringify(detailsOf(changed, order)),
      actor: ({ cause }) => JSON.stringify(cause.principal.actor),
      request_id: ({ cause }) => cause.requestId,
    },
  },
);

/** The names of the changed fields, and the parcel if it is one of them. */
function detailsOf(changed: readonly string[], { trackingNumber, carrier }: Order) {
  return {
    changed,
    ...(changed.includes("trackingNumber") && { trackingNumber }),
    ...(changed.includes("carrier") && { carrier }),
  };
}
