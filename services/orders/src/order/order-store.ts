// Reads orders with their lines, as the API shows them.
import { isUuid } from "@tradepost/http";
import { newestFirst, type Tenant } from "@tradepost/postgres";
import { type Selectable, sql } from "kysely";
import { jsonArrayFrom } from "kysely/helpers/postgres";
import type { Tables } from "../tables.ts";
import type { OrdersQuery } from "./order-input.ts";
import type { Order } from "./order-resource.ts";

/** Returns null if the tenant has no order with this id. */
export async function findOrder(tenant: Tenant<Tables>, id: string): Promise<Order | null> {
  const row = await ordersWithLines(tenant).where("id", "=", id).executeTakeFirst();
  return row === undefined ? null : orderOf(row);
}

/**
 * Returns the newest orders first, and one more than the limit if there is a next page. `createdAfter` is inclusive,
 * `createdBefore` exclusive.
 */
export async function listOrders(tenant: Tenant<Tables>, query: OrdersQuery): Promise<Order[]> {
  // A malformed id matches no customer.
  if (query.customerId !== undefined && !isUuid(query.customerId)) return [];
  const equal = {
    status: query.status,
    payment_status: query.paymentStatus,
    customer_id: query.customerId,
    channel: query.channel,
    order_number: query.orderNumber,
  };
  let matching = ordersWithLines(tenant);
  for (const [column, value] of Object.entries(equal)) {
    if (value !== undefined) matching = matching.where(sql.ref(column), "=", value);
  }
  const { createdAfter, createdBefore } = query;
  if (createdAfter !== undefined) matching = matching.where(sql<boolean>`created_at >= ${createdAfter}`);
  if (createdBefore !== undefined) matching = matching.where(sql<boolean>`created_at < ${createdBefore}`);
  return (await newestFirst(matching, query).execute()).map(orderOf);
}

function ordersWithLines({ db, tenantId }: Tenant<Tables>) {
  return db
    .selectFrom("orders")
    .selectAll()
    .select((is) =>
      jsonArrayFrom(
        is
          .selectFrom("order_lines as line")
          .select([
            "sku",
            "name",
            "quantity",
            "line.unit_price as unitPrice",
            "line.subtotal",
            "line.tax_amount as taxAmount",
            "line.product_id as productId",
            "line.variant_id as variantId",
            "line.description",
          ])
          .whereRef("line.tenant_id", "=", "orders.tenant_id")
          .whereRef("line.order_id", "=", "orders.id")
          .orderBy("line.position"),
      ).as("items"),
    )
    .where("tenant_id", "=", tenantId);
}

function orderOf(row: Selectable<Tables["orders"]> & { items: Record<string, unknown>[] }): Order {
  return {
    id: row.id,
    orderNumber: row.order_number,
    createdAt: row.created_at,
    status: row.status,
    paymentStatus: row.payment_status,
    customerId: row.customer_id,
    channel: row.channel,
    currency: row.currency,
    subtotal: Number(row.subtotal),
    shippingTotal: Number(row.shipping_total),
    discountTotal: Number(row.discount_total),
    taxTotal: Number(row.tax_total),
    total: Number(row.total),
    paidTotal: Number(row.paid_total),
    refundedTotal: Number(row.refunded_total),
    items: row.items.map(withoutNulls),
    propertyId: row.property_id ?? undefined,
    shippingAddress: row.shipping_address ?? undefined,
    billingAddress: row.billing_address ?? undefined,
    customerNote: row.customer_note ?? undefined,
    metadata: row.metadata ?? undefined,
    trackingNumber: row.tracking_number ?? undefined,
    carrier: row.carrier ?? undefined,
    cancelReason: row.cancel_reason ?? undefined,
    version: row.version,
    internalNote: row.internal_note ?? undefined,
  };
}

function withoutNulls(line: Record<string, unknown>): object {
  return Object.fromEntries(Object.entries(line).filter(([, value]) => value !== null));
}
