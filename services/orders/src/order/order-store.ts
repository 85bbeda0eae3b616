// Reads orders as the API shows them: one by its id, or a page of them, lines included, in one query.
import { isUuid, type PageQuery } from "@tradepost/http";
import { newestFirst } from "@tradepost/postgres";
import { type Kysely, type Selectable, sql } from "kysely";
import { jsonArrayFrom } from "kysely/helpers/postgres";
import type { Tables } from "../tables.ts";
import type { Order, OrderStatus, PaymentStatus } from "./order-resource.ts";

export interface OrderFilter {
  readonly status?: OrderStatus | undefined;
  readonly paymentStatus?: PaymentStatus | undefined;
  readonly customerId?: string | undefined;
  readonly channel?: Tables["orders"]["channel"] | undefined;
  readonly orderNumber?: string | undefined;
  /** Timestamps as ISO 8601 text: what has more than milliseconds is compared as it is written. */
  readonly createdAfter?: string | undefined;
  readonly createdBefore?: string | undefined;
}

/** Out: the order with its lines in their order, or null where the tenant has none of this id. */
export async function findOrder(db: Kysely<Tables>, tenantId: string, id: string): Promise<Order | null> {
  const row = await ordersWithLines(db, tenantId).where("id", "=", id).executeTakeFirst();
  return row === undefined ? null : orderOf(row);
}

/** Newest first; one row more than the limit where there is a next page. `createdAfter` is inclusive, `-Before` not. */
export async function listOrders(
  db: Kysely<Tables>,
  tenantId: string,
  filter: OrderFilter,
  page: PageQuery,
): Promise<Order[]> {
  // An id that is none is simply nobody's.
  if (filter.customerId !== undefined && !isUuid(filter.customerId)) return [];
  const equal = {
    status: filter.status,
    payment_status: filter.paymentStatus,
    customer_id: filter.customerId,
    channel: filter.channel,
    order_number: filter.orderNumber,
  };
  let matching = ordersWithLines(db, tenantId);
  for (const [column, value] of Object.entries(equal)) {
    if (value !== undefined) matching = matching.where(sql.ref(column), "=", value);
  }
  const { createdAfter, createdBefore } = filter;
  if (createdAfter !== undefined) matching = matching.where(sql<boolean>`created_at >= ${createdAfter}`);
  if (createdBefore !== undefined) matching = matching.where(sql<boolean>`created_at < ${createdBefore}`);
  return (await newestFirst(matching, page).execute()).map(orderOf);
}

function ordersWithLines(db: Kysely<Tables>, tenantId: string) {
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

/** What was not supplied is not shown. */
function withoutNulls(line: Record<string, unknown>): object {
  return Object.fromEntries(Object.entries(line).filter(([, value]) => value !== null));
}
