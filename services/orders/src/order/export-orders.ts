// Exports orders. CSV has a line for each order line (interface §19).
import type { ExportPage, Position } from "@tradepost/http";
import type { Tenant } from "@tradepost/postgres";
import type { Tables } from "../tables.ts";
import type { Order } from "./order-resource.ts";

export interface ExportedOrder {
  readonly order: Order;
  readonly customer: Pick<Tables["customers"], "name" | "email" | "phone"> | undefined;
  readonly shippingAddress: Readonly<Record<string, unknown>>;
}

type Line = Partial<Record<"sku" | "name" | "quantity" | "unitPrice" | "subtotal" | "taxAmount", unknown>>;

const ofOrder =
  (field: keyof Order) =>
  (_: Line, { order }: ExportedOrder) =>
    order[field];

const ofAddress =
  (field: string) =>
  (_: Line, { shippingAddress }: ExportedOrder) =>
    shippingAddress[field];

const CELLS: Readonly<Record<string, (line: Line, exported: ExportedOrder) => unknown>> = {
  id: ofOrder("id"),
  orderNumber: ofOrder("orderNumber"),
  externalId: ofOrder("externalId"),
  createdAt: ofOrder("createdAt"),
  status: ofOrder("status"),
  paymentStatus: ofOrder("paymentStatus"),
  customerId: ofOrder("customerId"),
  customerName: (_, { customer }) => customer?.name,
  customerEmail: (_, { customer }) => customer?.email,
  currency: ofOrder("currency"),
  sku: ({ sku }) => sku,
  name: ({ name }) => name,
  quantity: ({ quantity }) => quantity,
  unitPrice: ({ unitPrice }) => unitPrice,
  lineSubtotal: ({ subtotal }) => subtotal,
  lineTax: ({ taxAmount }) => taxAmount,
  subtotal: ofOrder("subtotal"),
  shippingTotal: ofOrder("shippingTotal"),
  discountTotal: ofOrder("discountTotal"),
  taxTotal: ofOrder("taxTotal"),
  total: ofOrder("total"),
  placedAt: ofOrder("placedAt"),
  channel: ofOrder("channel"),
  paidTotal: ofOrder("paidTotal"),
  refundedTotal: ofOrder("refundedTotal"),
  amountDue: ofOrder("amountDue"),
  customerPhone: (_, { customer }) => customer?.phone,
  trackingNumber: ofOrder("trackingNumber"),
  carrier: ofOrder("carrier"),
  shippingName: ofAddress("name"),
  shippingLine1: ofAddress("line1"),
  shippingLine2: ofAddress("line2"),
  shippingPostalCode: ofAddress("postalCode"),
  shippingCity: ofAddress("city"),
  shippingRegion: ofAddress("region"),
  shippingCountry: ofAddress("country"),
};

export const ORDER_COLUMNS = Object.keys(CELLS);

export function orderLines(exported: ExportedOrder): unknown[][] {
  return exported.order.items.map((line: Line) => Object.values(CELLS).map((cell) => cell(line, exported)));
}

export async function withCustomers(
  { db, tenantId }: Tenant<Tables>,
  { rows, next }: ExportPage<Order> & { next: Position | null },
): Promise<ExportPage<ExportedOrder>> {
  const ids = [...new Set(rows.map(({ customerId }) => customerId))];
  const customers = await db
    .selectFrom("customers")
    .select(["id", "name", "email", "phone"])
    .where("tenant_id", "=", tenantId)
    .where((is) => is("id", "=", is.fn.any(is.val(ids))))
    .execute();
  const byId = new Map(customers.map((customer) => [customer.id, customer]));
  const exported = rows.map((order) => ({
    order,
    customer: byId.get(order.customerId),
    shippingAddress: JSON.parse(order.shippingAddress?.text ?? "{}"),
  }));
  return { rows: exported, next };
}
