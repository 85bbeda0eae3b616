// Writes an order in one statement: customer looked up, number taken, order, lines, outbox row and idempotency record
// inserted. One round trip and one implicit transaction: all of it commits, or nothing does.
import { type ApiResponse, created, etagOf, type IdempotencyKey, isUuid } from "@tradepost/http";
import type { NewOutboxRow } from "@tradepost/messaging";
import type { TenantStatements } from "@tradepost/postgres";
import { IS_KEPT } from "../idempotency/record-store.ts";
import type { Tables } from "../tables.ts";
import { decimalOf } from "./money.ts";
import type { PricedOrder } from "./order.ts";
import type { newOrderResource } from "./order-resource.ts";

/** A tenant's first order number (contract §4). */
export const NUMBER_FIRST = 1_001;

// A request that was answered already finds no customer here, and does nothing; whoever asked looks for the answer.
// A generated number comes before the order row, so the counter's row is locked until the commit: that is what makes
// numbers dense. What is shown of the order is completed with what only the database knows, as text: it goes out as is.
const INSERT_ORDER = `
  with customer as (
    select from customers
     where tenant_id = $1 and id = $3
       and not exists (select from idempotency_records
                        where tenant_id = $1 and route = $24 and key = $25 and ${IS_KEPT})
  ), generated as (
    insert into order_counters as counter (tenant_id, next_number)
    select $1, ${NUMBER_FIRST + 1} from customer where $4::text is null
    on conflict (tenant_id) do update set next_number = counter.next_number + 1
    returning (next_number - 1)::text as order_number
  ), number as (
    select order_number from generated
    union all
    select $4 from customer where $4 is not null
  ), new_order as (
    insert into orders (tenant_id, id, customer_id, order_number, channel, currency, subtotal, shipping_total,
                        discount_total, tax_total, total, property_id, shipping_address, billing_address,
                        customer_note, internal_note, metadata, placed_by, placed_request_id, placed_event_id)
    select $1, $2, $3, order_number, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $22::json, $20, $19
      from number
    on conflict (tenant_id, order_number) do nothing
    returning order_number, created_at
  ), new_lines as (
    insert into order_lines (tenant_id, order_id, sku, name, quantity, unit_price, subtotal, tax_amount, product_id,
                             variant_id, description, position)
    select $1, $2, line.*
      from new_order, unnest($18::text[], $28::text[], $29::integer[], $30::numeric[], $31::numeric[], $32::numeric[],
                             $33::uuid[], $34::uuid[], $35::text[]) with ordinality as line
  ), shown as materialized (
    select '{"id":"' || $2::uuid || '","orderNumber":' || to_json(order_number) || ',"createdAt":' ||
           to_json(to_char(created_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) || ',' || $23::text as text
      from new_order
  ), event as (
    insert into outbox (event_id, aggregate_id, type, tenant_id, request_id, traceparent, actor, data)
    select $19, $2, 'order.placed', $1, $20, $21, $22::json, ('{"order":' || text || '}}')::json from shown
  ), record as (
    insert into idempotency_records (tenant_id, route, key, fingerprint, answer)
    select $1, $24, $25, $26,
           ($27::text || text || coalesce(',"internalNote":' || to_json($16::text), '') || '}}}')::json
      from shown where $27 is not null
  )
  select exists (select from customer) as "knowsCustomer", order_number as "orderNumber", created_at as "createdAt"
    from (values (1)) always left join new_order on true`;

export interface NewOrder {
  readonly id: string;
  readonly priced: PricedOrder;
  readonly shown: ReturnType<typeof newOrderResource>;
  /** `order.placed`; its data is completed by the statement. */
  readonly event: NewOutboxRow;
  /** Under which it is asked for; nothing is written where that has been answered. */
  readonly key: IdempotencyKey | null;
  /** False where the key's record is for more than this order, and is written by whoever knows it all. */
  readonly keepsAnswer: boolean;
}

interface Outcome {
  knowsCustomer: boolean;
  orderNumber: string | null;
  createdAt: Date | null;
}

/**
 * Out: what the database decided, or why no order was written: the customer is not the tenant's, or the number
 * (supplied or generated) belongs to another order. Throws the violation of the record's key where a twin was answered.
 */
export async function insertOrder(
  within: TenantStatements<Tables>,
  order: NewOrder,
): Promise<{ orderNumber: string; createdAt: Date } | "no such customer" | "number taken"> {
  if (!isUuid(order.shown.customerId)) return "no such customer";
  const { rows } = await within.query<Outcome>({
    name: "insert-order",
    text: INSERT_ORDER,
    values: parameters(order),
  });
  const { knowsCustomer, orderNumber, createdAt } = rows[0] as Outcome;
  if (!knowsCustomer) return "no such customer";
  return orderNumber === null || createdAt === null ? "number taken" : { orderNumber, createdAt };
}

/** The answer to a request for one order. */
export function placedAnswer(id: string, data: unknown): ApiResponse {
  return created(data, `/v1/orders/${id}`, { etag: etagOf(1) });
}

function parameters({ id, priced, shown, event, key, keepsAnswer }: NewOrder) {
  const { input, lines } = priced;
  return [
    event.tenant_id,
    id,
    shown.customerId,
    input.orderNumber ?? null,
    shown.channel,
    shown.currency,
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
    lines.map(({ input }) => input.sku),
    event.event_id,
    event.request_id,
    event.traceparent,
    event.actor,
    // The statement writes what comes before, and the braces that end it.
    JSON.stringify(shown).slice("{".length, -"}".length),
    key?.route ?? null,
    key?.key ?? null,
    key?.fingerprint ?? null,
    key !== null && keepsAnswer ? JSON.stringify(placedAnswer(id, null)).slice(0, -"null}}".length) : null,
    // Each line's values by column, in the order of the lines: no statement is made for a line.
    lines.map(({ input }) => input.name),
    lines.map(({ input }) => input.quantity),
    lines.map(({ unitPrice }) => decimalOf(unitPrice)),
    lines.map(({ subtotal }) => decimalOf(subtotal)),
    lines.map(({ taxAmount }) => decimalOf(taxAmount)),
    lines.map(({ input }) => input.productId ?? null),
    lines.map(({ input }) => input.variantId ?? null),
    lines.map(({ input }) => input.description ?? null),
  ];
}

// How far ahead to look at once for a number that no supplied one has.
const NUMBERS_AHEAD_MAX = 10_000;

const PASS_TAKEN_NUMBERS = `
  update order_counters as counter set next_number = coalesce((
    select min(candidate) from generate_series(counter.next_number, counter.next_number + ${NUMBERS_AHEAD_MAX}) candidate
     where not exists (select from orders where tenant_id = $1 and order_number = candidate::text)),
    counter.next_number + ${NUMBERS_AHEAD_MAX + 1})
   where tenant_id = $1`;

/** Moves the tenant's counter to the first number from where it stands that no order has, or as far as is looked. */
export async function passTakenNumbers(within: TenantStatements<Tables>): Promise<void> {
  await within.query({ text: PASS_TAKEN_NUMBERS, values: [within.tenantId] });
}

function jsonOrNull(value: unknown): string | null {
  return value === undefined ? null : JSON.stringify(value);
}
