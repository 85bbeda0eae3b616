// Exports orders. CSV has a line for each order line (interface §19).
import type { ExportPage, Position } from "@tradepost/http";
import type { Tables, Tenant } from "../tables.ts";
import type { Order } from "./order-resource.ts";

export interface ExportedOrder {
  readonly order: Order;
  readonly customer: Pick<Tables["customers"], "name" | "email" | "phone"> | undefined;
  readonly shippingAddress: Readonly<Record<string, unknown>>;
}

type Line = Partial<Record<"sku" | "name" | "quantity" | "unitPrice" | "subtotal" | "taxAmount", unknown>>;

type Cells = Readonly<Record<string, (line: Line, exported: ExportedOrder) => unknown>>;

const ofOrder = (...fields: (keyof Order)[]): Cells =>
  Object.fromEntries(fields.map((field) => [field, (_, { order }) => order[field]]));

const ofAddress = (fieldByColumn: Readonly<Record<string, string>>): Cells =>
  Object.fromEntries(
    Object.entries(fieldByColumn).map(([column, field]) => [
      column,
      (_, { shippingAddress }) => shippingAddress[field],
    ]),
  );

const CELLS: Cells = {
  ...ofOrder("id", "orderNumber", "externalId", "createdAt", "status", "paymentStatus", "customerId"),
  customerName: (_, { customer }) => customer?.name,
  customerEmail: (_, { customer }) => customer?.email,
  ...ofOrder("currency"),
  sku: ({ sku }) => sku,
  name: ({ name }) => name,
  quantity: ({ quantity }) => quantity,
  unitPrice: ({ unitPrice }) => unitPrice,
  lineSubtotal: ({ subtotal }) => subtotal,
  lineTax: ({ taxAmount }) => taxAmount,
  ...ofOrder("subtotal", "shippingTotal", "discountTotal", "taxTotal", "total", "placedAt", "channel"),
  ...ofOrder("paidTotal", "refundedTotal", "amountDue"),
  customerPhone: (_, { customer }) => customer?.phone,
  ...ofOrder("trackingNumber", "carrier"),
  ...ofAddress({ shippingName: "name", shippingLine1: "line1", shippingLine2: "line2" }),
  ...ofAddress({ shippingPostalCode: "postalCode", shippingCity: "city", shippingRegion: "region" }),
  ...ofAddress({ shippingCountry: "country" }),
};

export const ORDER_COLUMNS = Object.keys(CELLS);

export function orderLines(exported: ExportedOrder): unknown[][] {
  return exported.order.items.map((line: Line) => Object.values(CELLS).map((cell) => cell(line, exported)));
}

export async function withCustomers(
  { db, tenantId }: Tenant,
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
