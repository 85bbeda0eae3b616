// Writes an order in one statement: customer looked up, number taken, order, lines and outbox row inserted. One round
// trip and one implicit transaction: all of it commits, or nothing does.
import type { NewOutboxRow } from "@tradepost/messaging";
import { violatedConstraint } from "@tradepost/postgres";
import type { Pool } from "pg";
import { decimalOf } from "./money.ts";
import type { PricedOrder } from "./order.ts";
import type { newOrderResource } from "./order-resource.ts";

// The number comes before the order row, so the counter's row is locked until the commit: that is what makes numbers
// dense. The event's data is completed with what only the database knows, as text: it goes out as it stands.
const INSERT_ORDER = `
  with customer as (
    select id from customers where tenant_id = $1 and id = $3
  ), generated as (
    insert into order_counters as counter (tenant_id, next_number)
    select $1, ${1_001 + 1} from customer where $4::text is null
    on conflict (tenant_id) do update set next_number = counter.next_number + 1
    returning (next_number - 1)::text as order_number
  ), number as (
    select order_number from generated
    union all
    select $4 from customer where $4 is not null
  ), new_order as (
    insert into orders (tenant_id, id, customer_id, order_number, channel, currency, subtotal, shipping_total,
                        discount_total, tax_total, total, property_id, shipping_address, billing_address,
                        customer_note, internal_note, metadata)
    select $1, $2, $3, order_number, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17 from number
    returning order_number, created_at
  ), new_lines as (
    insert into order_lines (tenant_id, order_id, position, sku, name, quantity, unit_price, subtotal, tax_amount,
                             product_id, variant_id, description)
    select $1, $2, line.* from new_order, json_to_recordset($18::json) as line
      (position smallint, sku text, name text, quantity integer, unit_price numeric, subtotal numeric,
       tax_amount numeric, product_id uuid, variant_id uuid, description text)
  ), event as (
    insert into outbox (event_id, aggregate_id, type, tenant_id, request_id, traceparent, actor, data)
    select $19, $2, $20, $1, $21, $22, $23::json,
           ('{"order":{"orderNumber":' || to_json(order_number) || ',"createdAt":' ||
            to_json(to_char(created_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) || ',' || $24::text)::json
      from new_order
  )
  select order_number as "orderNumber", created_at as "createdAt" from new_order`;

type Written = { orderNumber: string; createdAt: Date };

/**
 * Out: what the database decided, or why nothing was written: the customer is not the tenant's, or the number
 * (supplied or generated) belongs to another order.
 */
export async function insertOrder(
  pool: Pool,
  order: ReturnType<typeof newOrderResource>,
  priced: PricedOrder,
  event: NewOutboxRow,
): Promise<Written | "no such customer" | "number taken"> {
  if (!isUuid(order.customerId)) return "no such customer";
  try {
    const { rows } = await pool.query<Written>({
      name: "insert-order",
      text: INSERT_ORDER,
      values: parameters(order, priced, event),
    });
    return rows[0] ?? "no such customer";
  } catch (error) {
    if (violatedConstraint(error) === "orders_order_number_key") return "number taken";
    throw error;
  }
}

function parameters(order: ReturnType<typeof newOrderResource>, priced: PricedOrder, event: NewOutboxRow) {
  const { input } = priced;
  return [
    event.tenant_id,
    order.id,
    order.customerId,
    input.orderNumber ?? null,
    order.channel,
    order.currency,
    decimalOf(priced.subtotal),
    decimalOf(priced.shippingTotal),
    decimalOf(priced.discountTotal),
    decimalOf(priced.taxTotal),
    decimalOf(priced.total),
    input.propertyId ?? null,
    jsonOrNull(input.shippingAddress),
    jsonOrNull(input.billingAddress),
    input.customerNote ?? null,
    input.internalNote ?? null,
    jsonOrNull(input.metadata),
    JSON.stringify(priced.lines.map(lineRow)),
    event.event_id,
    event.type,
    event.request_id,
    event.traceparent,
    event.actor,
    // `{"order":{` is written by the statement, before the number.
    event.data.slice('{"order":{'.length),
  ];
}

function lineRow(line: PricedOrder["lines"][number], index: number) {
  const { sku, name, quantity, productId, variantId, description } = line.input;
  return {
    position: index + 1,
    sku,
    name,
    quantity,
    unit_price: decimalOf(line.unitPrice),
    subtotal: decimalOf(line.subtotal),
    tax_amount: decimalOf(line.taxAmount),
    product_id: productId,
    variant_id: variantId,
    description,
  };
}

function jsonOrNull(value: unknown): string | null {
  return value === undefined ? null : JSON.stringify(value);
}

function isUuid(value: string): boolean {
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(value);
}

// How far ahead to look at once for a number that no supplied one has.
const NUMBERS_AHEAD_MAX = 10_000;

const PASS_TAKEN_NUMBERS = `
  insert into order_counters as counter (tenant_id, next_number) values ($1, 1001)
  on conflict (tenant_id) do update set next_number = coalesce((
    select min(candidate) from generate_series(counter.next_number, counter.next_number + ${NUMBERS_AHEAD_MAX}) candidate
     where not exists (select 1 from orders where tenant_id = $1 and order_number = candidate::text)),
    counter.next_number + ${NUMBERS_AHEAD_MAX + 1})`;

/** Moves the tenant's counter to the first number from where it stands that no order has, or as far as is looked. */
export async function passTakenNumbers(pool: Pool, tenantId: string): Promise<void> {
  await pool.query(PASS_TAKEN_NUMBERS, [tenantId]);
}
