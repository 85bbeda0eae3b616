// Places an order: prices it, builds its event and writes everything in one statement.
import { ApiError, type IdempotencyKey, invalid, isUuid, notFound } from "@tradepost/http";
import { keyColumns, RECORD_IS_VALID } from "@tradepost/idempotency";
import { VerbatimJson, writeJson } from "@tradepost/json";
import {
  admit,
  type Cause,
  COMMITTED_ROW,
  type CommittedFirstEvent,
  type CommittedRow,
  eventColumns,
  type FirstEvents,
  type NewOutboxRow,
  outboxRow,
  reservedUntil,
} from "@tradepost/messaging";
import {
  arrayParametersOf,
  arraysOf,
  type Columns,
  columnsOf,
  completeJson,
  completeText,
  jsonTimeOf,
  namedStatement,
  newPlaceholder,
  parametersOf,
  placeholderColumns,
  type RowColumns,
  violatedConstraint,
} from "@tradepost/postgres";
import { newId } from "@tradepost/runtime";
import { searchTextOf, wordsOf } from "@tradepost/search";
import { customerErased } from "../customer-erased.ts";
import { bytesOfWords } from "../search/search.ts";
import type { Tenant } from "../tables.ts";
import { decimalOf, numberOf, unitsOf } from "./money.ts";
import { newOrderResource } from "./new-order-resource.ts";
import type { OrderInput } from "./order-input.ts";
import { FIRST_ORDER_NUMBER, findByNumber, skipTakenNumbers } from "./order-numbers.ts";
import { placedResponse } from "./order-resource.ts";
import { type PricedLine, type PricedOrder, priceOrder } from "./price-order.ts";

// Another try is needed for the tenant's first order, after taken numbers, or if a concurrent order takes the number.
const TRIES_MAX = 20;
const EXTERNAL_IDS_KEY = "orders_external_id_key";
const GENERATED_WORD_BYTES = bytesOfWords([String(FIRST_ORDER_NUMBER)]);

export interface PlacedOrder {
  readonly id: string;
  /** The order as the API shows it. */
  readonly json: VerbatimJson;
}

/** Places one order, as `placeOrderIn` does, in a transaction of its own, and records the response. */
export async function placeOrder(
  tenant: Tenant,
  input: OrderInput,
  idempotencyKey: IdempotencyKey | null,
  cause: Cause,
  firstEvents: FirstEvents,
): Promise<PlacedOrder> {
  const recording = { idempotencyKey, recordsResponse: true };
  const place = () => writeOrder(tenant.batched, input, recording, cause, firstEvents.reserve);
  const { order, committed } = await place().catch((error: unknown) => {
    if (violatesExternalId(error)) return place();
    throw error;
  });
  firstEvents.committed(committed);
  return order;
}

interface Recording {
  readonly idempotencyKey: IdempotencyKey | null;
  /** False for an order of an import, whose record holds the response to the whole import. */
  readonly recordsResponse: boolean;
}

/**
 * Prices the order, gives it an id and an event, and writes it. A generated number that another order has is skipped (interface §4).
 * @throws 422 if an amount is out of bounds or the total is not the expected one, 404 if the customer does not exist, 409
 * `customer_erased` or `quota_exceeded`, 409 `order_exists` or `order_number_taken` with `orderId` if another order has the external
 * id or the supplied number. Nothing is written then. Throws an error for which `violatesExternalId` is true if an order with the same
 * external id commits at the same moment; and the violation of the record's key if a request with the same Idempotency-Key does. Both
 * abort the transaction.
 */
export async function placeOrderIn(
  tx: Tenant,
  input: OrderInput,
  recording: Recording,
  cause: Cause,
): Promise<PlacedOrder> {
  return (await writeOrder(tx, input, recording, cause, (event) => event)).order;
}

async function writeOrder(
  tx: Tenant,
  input: OrderInput,
  recording: Recording,
  cause: Cause,
  reserve: FirstEvents["reserve"],
): Promise<{ order: PlacedOrder; committed: CommittedFirstEvent }> {
  const priced = priceOrder(input);
  if ("faults" in priced) throw invalid(priced.faults);
  requireTotal(priced);
  const id = newId();
  const resource = newOrderResource(id, priced);
  if (!isUuid(resource.customerId)) throw notFound("customer");
  admit(cause, "eventBytes");
  const event = reserve(outboxRow("order.placed", id, {}, cause));
  const pending = newPlaceholder();
  const json = orderJson(id, pending, resource);
  const words = wordsOf([input.orderNumber, input.externalId]);
  const order = { ...recording, id, priced, resource, json, words, pending, event };
  const statement = insertOrder(order);

  for (let tries = 0; tries < TRIES_MAX; tries += 1) {
    const { rows } = await tx.query<InsertedRow>(statement);
    const { existingId, customerFound, customerIsErased, decided, ...row } = rows[0] as InsertedRow;
    if (existingId !== null) {
      throw new ApiError("order_exists", "The channel has an order with this externalId.", {
        extra: { orderId: existingId },
      });
    }
    if (customerIsErased) throw customerErased();
    // Also thrown if the Idempotency-Key has a record, with which `withIdempotencyKey` then responds.
    if (!customerFound) throw notFound("customer");
    if (decided !== null) {
      const complete = (text: string) => completeText(text, pending, decided);
      return {
        order: { id, json: new VerbatimJson(complete(withInternalNote(order))) },
        committed: { ...event, ...row, data: complete(eventData(order)) },
      };
    }
    const takenBy = input.orderNumber === undefined ? null : await findByNumber(tx, input.orderNumber);
    if (takenBy !== null) {
      throw new ApiError("order_number_taken", "Another order has this orderNumber.", {
        extra: { orderId: takenBy },
      });
    }
    await skipTakenNumbers(tx);
  }
  throw new Error("no free order number was found");
}

/** @throws 422 with `total` if the caller expects another total. */
function requireTotal({ input: { expectedTotal }, total: units }: PricedOrder): void {
  if (expectedTotal === undefined || unitsOf(expectedTotal) === units) return;
  const total = numberOf(units);
  throw invalid([{ path: "expectedTotal", message: `must be the total, ${total}` }], { total });
}

/**
 * Reports whether another order with the same external id committed at the same moment. The transaction is aborted. Placing the
 * order again in a new transaction gives 409 `order_exists`.
 */
export function violatesExternalId(error: unknown): boolean {
  return violatedConstraint(error) === EXTERNAL_IDS_KEY;
}

type NewResource = ReturnType<typeof newOrderResource>;

interface NewOrder extends Recording {
  readonly id: string;
  readonly priced: PricedOrder;
  /** The order as the API shows it, without the fields that the database decides. */
  readonly resource: NewResource;
  /** `resource` as JSON text, as the event has it. */
  readonly json: string;
  /** The search words of what the caller supplied. The statement adds the generated number. */
  readonly words: readonly string[];
  /** The placeholder in `json` for the number and the times, which only the database knows. */
  readonly pending: string;
  readonly event: NewOutboxRow;
}

interface InsertedRow extends CommittedRow {
  /** The order that already has the external id, if the customer exists. */
  existingId: string | null;
  /** Also false if the Idempotency-Key has a record. */
  customerFound: boolean;
  customerIsErased: boolean;
  /** The text that replaces the placeholder; null if the order was not inserted. */
  decided: string | null;
}

const orderColumns: Columns<NewOrder> = {
  tenant_id: eventColumns.tenant_id,
  id: eventColumns.aggregate_id,
  customer_id: ({ resource }) => resource.customerId,
  channel: ({ resource }) => resource.channel,
  currency: ({ resource }) => resource.currency,
  subtotal: ({ priced }) => decimalOf(priced.subtotal),
  shipping_total: ({ priced }) => decimalOf(priced.shippingTotal),
  discount_total: ({ priced }) => decimalOf(priced.discountTotal),
  tax_total: ({ priced }) => decimalOf(priced.taxTotal),
  total: ({ priced }) => decimalOf(priced.total),
  external_id: ({ priced }) => priced.input.externalId ?? null,
  property_id: ({ priced }) => priced.input.propertyId ?? null,
  shipping_address: ({ resource }) => resource.shippingAddress?.text ?? null,
  billing_address: ({ resource }) => resource.billingAddress?.text ?? null,
  customer_note: ({ priced }) => priced.input.customerNote ?? null,
  internal_note: ({ priced }) => priced.input.internalNote ?? null,
  metadata: ({ resource }) => resource.metadata?.text ?? null,
  placed_by: eventColumns.actor,
  placed_request_id: eventColumns.request_id,
  placed_event_id: eventColumns.event_id,
};

// The attributes of the type `order_line`, in their order. Each is one array parameter for all lines, so that the statement is the
// same for any number of lines.
const lineColumns: RowColumns<PricedLine> = {
  sku: ["text", ({ input }) => input.sku],
  name: ["text", ({ input }) => input.name],
  quantity: ["integer", ({ input }) => input.quantity],
  unit_price: ["numeric", ({ unitPrice }) => decimalOf(unitPrice)],
  tax_amount: ["numeric", ({ taxAmount }) => decimalOf(taxAmount)],
  product_id: ["uuid", ({ input }) => input.productId ?? null],
  variant_id: ["uuid", ({ input }) => input.variantId ?? null],
  description: ["text", ({ input }) => input.description ?? null],
  tax_lines: [
    "json",
    ({ input: { taxLines = [] } }) => (taxLines.length === 0 ? null : JSON.stringify(taxLines)),
  ],
};

const FIGURES_AT = "figures_at(coalesce($supplied.placed_at, now()::timestamptz(3)), $order.channel)";

const PAYABLE = "payable($order.total::numeric, $order.currency)";

/** SQL that adds a new order to a figure of the counter. Figures of another time, channel or currency move to `order_deltas`. */
function withNewOrder(figure: string, added: string): string {
  return `${figure} = case when (at, currency) = (${FIGURES_AT}, $order.currency) then ${figure} else 0 end + ${added}`;
}

/**
 * Writes the order, its lines, its number, its event and its idempotency record in one round trip and one transaction: either
 * everything commits or nothing does.
 */
export const insertOrder = namedStatement<NewOrder>(
  // The customer's row stays locked until the commit, so that an erasure finds the order, or the order finds the erasure, even if
  // it commits while this statement waits for it. The foreign key takes the same lock.
  //
  // The counter's row comes before the order's row, and stays locked until the commit: the next order waits for it, so a
  // transaction that fails leaves no gap in the numbers. An order with the same external id that commits at the same moment
  // violates the index, which rolls the statement back: it takes no number either. The counter counts the order before its number
  // turns out to be taken; `not_placed` takes that back.
  `
  with locked as (
    select erased_at from customers where tenant_id = $order.tenant_id and id = $order.customer_id for key share
  ), existing as (
    select id from orders
     where tenant_id = $order.tenant_id and channel = $order.channel and external_id = $order.external_id
       and exists (select from locked)
  ), customer as (
    select from locked
     where erased_at is null
       and not exists (select from existing)
       and not exists (select from idempotency_records
                        where tenant_id = $order.tenant_id and route = $record.route and key = $record.key
                          and ${RECORD_IS_VALID})
  ), counted as (
    update order_counters as counter
       set next_number = next_number + case when $supplied.order_number::text is null then 1 else 0 end,
           at = ${FIGURES_AT}, currency = $order.currency, ${withNewOrder("orders", "1")},
           ${withNewOrder("total", PAYABLE)}, ${withNewOrder("to_fulfill", "1")}, ${withNewOrder("unpaid", "1")},
           dated_since = coalesce(dated_since, case when $supplied.placed_at::timestamptz is not null then clock_timestamp() end)
     where tenant_id = $order.tenant_id and exists (select from customer)
    returning coalesce($supplied.order_number, (next_number - 1)::text) as order_number, dated_since
  ), new_order as (
    insert into orders (order_number, ${columnsOf(orderColumns)}, search_text, lines, placed_at)
    select order_number, ${parametersOf("order", orderColumns)},
           concat(case when $supplied.order_number is null then ' ' || order_number end, $search.text::text),
           (select array_agg(row(line.*)::order_line) from unnest(${arrayParametersOf("line", lineColumns)}) as line),
           coalesce($supplied.placed_at, case when dated_since is not null then now() end)
      from counted
    on conflict (tenant_id, order_number) do nothing
    returning order_number, created_at, updated_at, coalesce(placed_at, created_at) as placed_at
  ), not_placed as (
    insert into order_deltas (tenant_id, at, currency, orders, total, paid, refunded, to_fulfill, unpaid, payment_failed, to_deliver)
    select $order.tenant_id, ${FIGURES_AT}, $order.currency, -1, -${PAYABLE}, 0, 0, -1, -1, 0, 0
      from counted where not exists (select from new_order)
  ), new_words as (
    insert into order_words (tenant_id, word, created_at, order_id)
    select $order.tenant_id, word, created_at, $order.id
      from new_order, unnest(case when $supplied.order_number is null
                                  then array_remove($search.words::text[], order_number) || order_number
                                  else $search.words end) word
  ), decided as (
    select to_json(order_number)::text || ',"createdAt":' || ${jsonTimeOf("created_at")} ||
           ',"placedAt":' || ${jsonTimeOf("placed_at")} || ',"updatedAt":' || ${jsonTimeOf("updated_at")} as number_and_times
      from new_order
  ), event as (
    insert into outbox (${columnsOf(eventColumns)}, attempts, next_try_at, words_bytes, data)
    select ${parametersOf("event", eventColumns)}, $event.attempts, ${reservedUntil("$event.attempts")}, $search.bytes,
           ${completeJson("$event.data", "decided.number_and_times")}
      from decided
    returning id, occurred_at
  ), record as (
    insert into idempotency_records (tenant_id, route, key, fingerprint, answer)
    select $order.tenant_id, $record.route, $record.key, $record.fingerprint, ${completeJson("$record.response", "decided.number_and_times")}
      from decided where $record.response is not null
  )
  select (select id from existing) as "existingId", exists (select from customer) as "customerFound",
         exists (select from locked where erased_at is not null) as "customerIsErased",
         (select number_and_times from decided) as decided, ${COMMITTED_ROW}`,
  {
    order: orderColumns,
    supplied: {
      order_number: ({ priced }) => priced.input.orderNumber ?? null,
      placed_at: ({ priced }) => priced.input.placedAt ?? null,
    },
    search: {
      text: ({ words }) => searchTextOf(words),
      words: ({ words }) => words,
      bytes: ({ priced, words }) =>
        bytesOfWords(words) + (priced.input.orderNumber === undefined ? GENERATED_WORD_BYTES : 0),
    },
    line: arraysOf(lineColumns, ({ priced }) => priced.lines),
    event: { ...eventColumns, attempts: ({ event }) => event.attempts, data: eventData },
    record: { ...keyColumns, response: recordedResponse },
    pending: placeholderColumns,
  },
);

export function orderJson(id: string, pending: string, resource: NewResource): string {
  return writeJson({ id, orderNumber: pending, ...resource });
}

function eventData({ json }: Pick<NewOrder, "json">): string {
  return `{"order":${json}}`;
}

function recordedResponse(order: NewOrder): string | null {
  if (order.idempotencyKey === null || !order.recordsResponse) return null;
  return writeJson(placedResponse({ id: order.id, json: new VerbatimJson(withInternalNote(order)) }));
}

function withInternalNote({ json, priced: { input } }: Pick<NewOrder, "json" | "priced">): string {
  if (input.internalNote === undefined) return json;
  return `${json.slice(0, -1)},"internalNote":${JSON.stringify(input.internalNote)}}`;
}
