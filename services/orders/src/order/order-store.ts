// Reads orders as the API shows them.
import type { Kysely, Selectable } from "kysely";
import { jsonArrayFrom } from "kysely/helpers/postgres";
import type { Tables } from "../tables.ts";

/** Out: the order with its lines in their order, or null where the tenant has none of this id. One query. */
export async function findOrder(db: Kysely<Tables>, tenantId: string, id: string) {
  const row = await db
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
    .where("tenant_id", "=", tenantId)
    .where("id", "=", id)
    .executeTakeFirst();
  return row === undefined ? null : orderOf(row);
}

function orderOf(row: Selectable<Tables["orders"]> & { items: Record<string, unknown>[] }) {
  return withoutNulls({
    id: row.id,
    orderNumber: row.order_number,
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
    propertyId: row.property_id,
    shippingAddress: row.shipping_address,
    billingAddress: row.billing_address,
    customerNote: row.customer_note,
    internalNote: row.internal_note,
    metadata: row.metadata,
    version: row.version,
    createdAt: row.created_at,
  });
}

/** What was not supplied is not shown. */
function withoutNulls<T extends object>(resource: T): Partial<T> {
  return Object.fromEntries(Object.entries(resource).filter(([, value]) => value !== null)) as Partial<T>;
}
