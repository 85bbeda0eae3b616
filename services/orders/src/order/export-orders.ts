// Exports orders. CSV has a line for each order line (interface §19).
import type { ExportPage, Position } from "@tradepost/http";
import type { Tenant } from "@tradepost/postgres";
import type { Tables } from "../tables.ts";
import type { Order } from "./order-resource.ts";

export interface ExportedOrder {
  readonly order: Order;
  readonly customer: { readonly name: string; readonly email: string | null } | undefined;
}

export const ORDER_COLUMNS = [
  "id",
  "orderNumber",
  "externalId",
  "createdAt",
  "status",
  "paymentStatus",
  "customerId",
  "customerName",
  "customerEmail",
  "currency",
  "sku",
  "name",
  "quantity",
  "unitPrice",
  "lineSubtotal",
  "lineTax",
  "subtotal",
  "shippingTotal",
  "discountTotal",
  "taxTotal",
  "total",
] as const;

type Line = Partial<Record<"sku" | "name" | "quantity" | "unitPrice" | "subtotal" | "taxAmount", unknown>>;

/** Returns the cells of `ORDER_COLUMNS` for each line of the order. */
export function orderLines({ order, customer }: ExportedOrder): unknown[][] {
  return order.items.map((line: Line) => {
    const cells: Record<(typeof ORDER_COLUMNS)[number], unknown> = {
      ...order,
      externalId: order.externalId,
      customerName: customer?.name,
      customerEmail: customer?.email,
      sku: line.sku,
      name: line.name,
      quantity: line.quantity,
      unitPrice: line.unitPrice,
      lineSubtotal: line.subtotal,
      lineTax: line.taxAmount,
    };
    return ORDER_COLUMNS.map((column) => cells[column]);
  });
}

/** Adds the customers of the orders to a page. */
export async function withCustomers(
  { db, tenantId }: Tenant<Tables>,
  { rows, next }: ExportPage<Order> & { next: Position | null },
): Promise<ExportPage<ExportedOrder>> {
  const ids = [...new Set(rows.map(({ customerId }) => customerId))];
  const customers = await db
    .selectFrom("customers")
    .select(["id", "name", "email"])
    .where("tenant_id", "=", tenantId)
    .where((is) => is("id", "=", is.fn.any(is.val(ids))))
    .execute();
  const byId = new Map(customers.map((customer) => [customer.id, customer]));
  return { rows: rows.map((order) => ({ order, customer: byId.get(order.customerId) })), next };
}
