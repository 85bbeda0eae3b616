// Reads orders with their lines, as the API shows them.
import { type ExportPage, isUuid, type Position } from "@tradepost/http";
import {
  allOf,
  bytesOf,
  OLDEST_FIRST,
  oldestFirst,
  type PageRow,
  queryUnprepared,
  withinBytes,
} from "@tradepost/postgres";
import { yieldPeriodically } from "@tradepost/runtime";
import { readExportPage, type SearchedWord } from "@tradepost/search";
import { type AliasedRawBuilder, type Expression, type RawBuilder, type Selectable, sql } from "kysely";
import { jsonArrayFrom } from "kysely/helpers/postgres";
import { countFound, countWords, planOf, readFound, SEARCHED_ROWS_MAX } from "../search/search.ts";
import type { Tables, Tenant } from "../tables.ts";
import { updatedWithin } from "../updated-within.ts";
import { verbatimColumn, verbatimText } from "../verbatim-fields.ts";
import { derivedFields, type Recorded } from "./lifecycle.ts";
import { newestOrders, PLACED_AT, placedWithin } from "./newest-orders.ts";
import type { OrdersQuery } from "./order-input.ts";
import { lineId, type Order, type OrderLine } from "./order-resource.ts";
import { candidates, orderHasSku, orderHasWords } from "./search-order.ts";
import { type ChangesByOlder, readShipments } from "./shipments.ts";
import { shownSummary, sumTaxes } from "./tax-summary.ts";

export async function findOrder(tenant: Tenant, id: string): Promise<Order | null> {
  const row = await ordersWithLines(tenant).where("id", "=", id).executeTakeFirst();
  return row === undefined ? null : orderOf(row);
}

export async function findOrders(tenant: Tenant, ids: readonly string[]): Promise<Order[]> {
  const rows = await ordersWithLines(tenant)
    .where((is) => is("id", "=", is.fn.any(is.val(ids))))
    .execute();
  return rows.map(orderOf);
}

/** Also reads the payments or refunds with the reference, as of the same moment. */
export async function findOrderWithRecorded(
  tenant: Tenant,
  id: string,
  kind: "payment" | "refund",
  reference: string,
): Promise<{ order: Order; recorded: Recorded[] } | null> {
  const recorded = sql<Recorded[]>`(
    select coalesce(json_agg(details -> ${kind}::text), '[]') from order_changes change
     where change.tenant_id = orders.tenant_id and change.order_id = orders.id
       and details -> ${kind}::text ->> 'reference' = ${reference})`.as("recorded");
  const row = await ordersWithLines(tenant).select(recorded).where("id", "=", id).executeTakeFirst();
  return row === undefined ? null : { order: orderOf(row), recorded: row.recorded };
}

/** Newest first, within the bytes of a page. `end` is where the next page begins if not all orders were searched. */
export async function listOrders(
  tenant: Tenant,
  query: OrdersQuery,
): Promise<{ orders: Order[]; hasMore: boolean; end?: Position | null }> {
  const search = await searchOrders(tenant, query);
  if (search === null) return { orders: [], hasMore: false };
  const { limit } = query;
  const read = (rows: Expression<Row>) => readPage(tenant, rows, { limit, order: search.order });
  if (search.plan !== "walk") return await readFound(search, limit, read);
  const walked = await read(search.ofNewest(SEARCHED_ROWS_MAX, limit));
  return walked.hasMore ? walked : { ...walked, end: await search.endOfNewest(SEARCHED_ROWS_MAX) };
}

export async function countOrders(tenant: Tenant, query: OrdersQuery) {
  return await countFound(tenant, await searchOrders(tenant, { ...query, cursor: null }));
}

/** Returns null if no order can match. */
async function searchOrders(tenant: Tenant, query: OrdersQuery) {
  const found = await matchingOrders(tenant, query);
  if (found === null) return null;
  const { search: words = [], sku, cursor } = query;
  const newest = newestOrders(tenant, found.matching, query);
  const counts = await countWords(tenant, words, { ofOrders: true });
  const plan = planOf(counts);
  if (plan === null) return null;
  const conditions = conditionsOf(
    counts.map(({ word }) => word),
    sku,
  );
  const isPlain = conditions.length === 1 && counts.length === 1 && !found.hasFilters && newest.isByCreation;
  const cursorOfWords = newest.isByCreation ? cursor : null;
  return {
    plan: sku !== undefined && plan !== "by words" ? ("walk" as const) : plan,
    newest: newest.first,
    order: newest.order,
    ofNewest: (rowsMax: number, limit: number) => sql<Row>`
      select * from (${newest.first(rowsMax)}) orders where ${allOf(conditions)} order by ${newest.order} limit ${limit + 1}`,
    endOfNewest: async (rowsMax: number): Promise<Position | null> => {
      const end = await sql<Position>`
        select ${newest.isByCreation ? sql`created_at` : PLACED_AT} as "createdAt", id from (${newest.first(rowsMax)}) orders
         order by ${newest.order} offset ${rowsMax} limit 1`.execute(tenant.db);
      const [row] = end.rows;
      return row === undefined ? null : { ...row, sort: newest.isByCreation ? undefined : "placedAt" };
    },
    byWords: (limit: number): Expression<Row> => {
      const ofCustomerMax = isPlain ? limit + 1 : null;
      const ofWords = candidates(tenant, { counts, cursor: cursorOfWords, ofCustomerMax });
      const ofFound = newest.behindCursor.where(sql<boolean>`id = found_id`).where(allOf(conditions));
      return sql<Row>`
        select orders.* from ${ofWords} found cross join lateral (${ofFound}) orders
         order by ${newest.isByCreation ? sql`found_at desc, found_id desc` : newest.order} limit ${limit + 1}`;
    },
  };
}

function conditionsOf(words: readonly SearchedWord[], sku: string | undefined) {
  return [
    ...(words.length === 0 ? [] : [orderHasWords(words)]),
    ...(sku === undefined ? [] : [orderHasSku(sku)]),
  ];
}

type Row = Selectable<Tables["orders"]>;

type OrderFilters = Omit<OrdersQuery, "limit" | "cursor" | "sort" | "count">;

/** By all filters except `search`, `sku` and `placedAt`; null if no order can match. */
async function matchingOrders(tenant: Tenant, query: OrderFilters) {
  // A malformed id matches no customer.
  if (query.customerId !== undefined && !isUuid(query.customerId)) return null;
  const filters = [...filtersOf(query), ...(await updatedWithin(tenant, "orders", query))];
  const all = tenant.db.selectFrom("orders").selectAll().where("tenant_id", "=", tenant.tenantId);
  return {
    matching: filters.reduce((orders, filter) => orders.where(filter), all),
    hasFilters: [...filters, query.placedAfter, query.placedBefore].some((filter) => filter !== undefined),
  };
}

// The bytes of a page limit their lines and texts.
const EXPORTED_ROWS_MAX = 250;

export async function ordersToExport(
  tenant: Tenant,
  query: OrderFilters,
): Promise<(after: Position | null) => Promise<ExportPage<Order>>> {
  const found = await matchingOrders(tenant, query);
  if (found === null) return async () => ({ rows: [], next: null });
  const matching = placedWithin(found.matching, PLACED_AT, query);
  const read = async (rows: typeof matching, after: Position | null) => {
    const limited = oldestFirst(rows, { limit: EXPORTED_ROWS_MAX, after });
    const { orders, hasMore } = await readPage(tenant, limited, {
      limit: EXPORTED_ROWS_MAX,
      order: OLDEST_FIRST,
    });
    return { rows: orders, hasMore };
  };
  const conditions = conditionsOf(query.search ?? [], query.sku);
  const condition = conditions.length === 0 ? undefined : allOf(conditions);
  return (after) => readExportPage(tenant, { matching, condition, after, read });
}

export async function positionOfOrder({ db, tenantId }: Tenant, id: string) {
  const row = await db
    .selectFrom("orders")
    .select(["id", "created_at as createdAt"])
    .where("tenant_id", "=", tenantId)
    .where("id", "=", id)
    .executeTakeFirst();
  return row ?? null;
}

async function readPage(
  tenant: Tenant,
  limited: Expression<Selectable<Tables["orders"]>>,
  { limit, order }: { limit: number; order: RawBuilder<unknown> },
): Promise<{ orders: Order[]; hasMore: boolean }> {
  const bounds = { limit, bytes: BYTES, order };
  const page = withinBytes(limited, bounds).as("orders");
  const shown = ordersWithLines(tenant, page).select("has_more").orderBy("page_position");
  const rows = await queryUnprepared(tenant, shown);
  const orders: Order[] = [];
  const yieldToOthers = yieldPeriodically();
  for (const row of rows) {
    orders.push(orderOf(row));
    await yieldToOthers();
  }
  return { orders, hasMore: rows.at(-1)?.has_more ?? false };
}

// The other columns of 100 orders take less than 1 MiB. A line takes about 400 bytes and its texts, a shipment at most eight
// times its stored bytes.
const BYTES = sql<number>`${bytesOf("metadata", "shipping_address", "billing_address", "customer_note", "internal_note")}
  + 8 * coalesce(octet_length(shipments::text), 0) + (
  select coalesce(sum(400 + octet_length(sku) + octet_length(name) + coalesce(octet_length(description), 0)
                      + coalesce(octet_length(tax_lines::text), 0)), 0)
    from order_lines line where line.tenant_id = page.tenant_id and line.order_id = page.id)`;

function filtersOf(query: OrderFilters): RawBuilder<boolean>[] {
  const { ids, createdAfter, createdBefore } = query;
  const all = [
    query.status && sql<boolean>`status in (${sql.join(query.status)})`,
    query.paymentStatus && sql<boolean>`payment_status in (${sql.join(query.paymentStatus)})`,
    query.fulfillment &&
      sql<boolean>`(${sql.join(
        query.fulfillment.map((one) => FULFILLMENT[one]),
        sql` or `,
      )})`,
    equal("customer_id", query.customerId),
    equal("channel", query.channel),
    equal("property_id", query.propertyId),
    equal("external_id", query.externalId),
    equal("order_number", query.orderNumber),
    ids && sql<boolean>`id in (${sql.join(ids)})`,
    createdAfter && sql<boolean>`created_at >= ${createdAfter}`,
    createdBefore && sql<boolean>`created_at < ${createdBefore}`,
  ];
  return all.filter((filter) => typeof filter === "object");
}

const FULFILLMENT = {
  none: sql`(status in ('placed', 'cancelled') and shipments is null)`,
  part: sql`(status = 'placed' and shipments is not null)`,
  all: sql`status in ('fulfilled', 'delivered')`,
};

function equal(column: string, value: string | undefined): RawBuilder<boolean> | undefined {
  return value === undefined ? undefined : sql<boolean>`${sql.ref(column)} = ${value}`;
}

type OptionalText = "productId" | "variantId" | "description";
type LineRow = Pick<OrderLine, "sku" | "name" | "quantity" | "unitPrice" | "subtotal" | "taxAmount"> &
  Record<OptionalText, string | null> & { position: number; taxLines: OrderLine["taxLines"] | null };
type VerbatimColumn = "shipping_address" | "billing_address" | "metadata";
type OrderRow = Omit<Row, "tenant_id" | "search_text" | "placed_at" | VerbatimColumn> &
  Record<VerbatimColumn, string | null> & { placed_at: Date; items: LineRow[]; older: ChangesByOlder | null };

// Release 1.0.0 changes the status without the shipments.
const OLDER = sql<ChangesByOlder | null>`case when status in ('fulfilled', 'delivered') and shipments ->> 'status' is distinct from status then (
  select json_object_agg(type, json_build_object('id', event_id, 'at', created_at)) from order_changes change
   where change.tenant_id = orders.tenant_id and change.order_id = orders.id and type in ('order.fulfilled', 'order.delivered')) end`;

const COLUMNS = [
  "id",
  "order_number",
  "external_id",
  "status",
  "payment_status",
  "customer_id",
  "channel",
  "currency",
  "subtotal",
  "shipping_total",
  "discount_total",
  "tax_total",
  "total",
  "paid_total",
  "refunded_total",
  "property_id",
  "customer_note",
  "internal_note",
  "tracking_number",
  "carrier",
  "cancel_reason",
  "shipments",
  "refunded_quantities",
  "version",
  "created_at",
  sql<Date>`${PLACED_AT}`.as("placed_at"),
  "updated_at",
  verbatimColumn("shipping_address"),
  verbatimColumn("billing_address"),
  verbatimColumn("metadata"),
] as const;

function ordersWithLines(
  { db, tenantId }: Tenant,
  page?: AliasedRawBuilder<PageRow<Selectable<Tables["orders"]>>, "orders">,
) {
  return (
    db
      // A page has the table's columns, and two more.
      .selectFrom((page ?? "orders") as AliasedRawBuilder<PageRow<Selectable<Tables["orders"]>>, "orders">)
      .select(COLUMNS)
      .select(OLDER.as("older"))
      .select((is) =>
        jsonArrayFrom(
          is
            .selectFrom("order_lines as line")
            .select([
              "line.position",
              "sku",
              "name",
              "quantity",
              "line.unit_price as unitPrice",
              "line.subtotal",
              "line.tax_amount as taxAmount",
              "line.product_id as productId",
              "line.variant_id as variantId",
              "line.description",
              "line.tax_lines as taxLines",
            ])
            .whereRef("line.tenant_id", "=", "orders.tenant_id")
            .whereRef("line.order_id", "=", "orders.id")
            .orderBy("line.position"),
        )
          // In JSON, a numeric is a number.
          .$castTo<LineRow[]>()
          .as("items"),
      )
      .where("tenant_id", "=", tenantId)
  );
}

function orderOf(row: OrderRow): Order {
  const shipped = {
    ...{
      id: row.id,
      status: row.status,
      updatedAt: row.updated_at,
      items: row.items.map((line) => lineOf(row, line)),
    },
    ...{ trackingNumber: row.tracking_number ?? undefined, carrier: row.carrier ?? undefined },
  };
  const state = {
    status: row.status,
    paymentStatus: row.payment_status,
    currency: row.currency,
    total: Number(row.total),
    paidTotal: Number(row.paid_total),
    refundedTotal: Number(row.refunded_total),
    ...readShipments(shipped, row.shipments, row.older),
  };
  return {
    id: row.id,
    orderNumber: row.order_number,
    createdAt: row.created_at,
    placedAt: row.placed_at,
    updatedAt: row.updated_at,
    ...state,
    customerId: row.customer_id,
    channel: row.channel,
    subtotal: Number(row.subtotal),
    shippingTotal: Number(row.shipping_total),
    discountTotal: Number(row.discount_total),
    taxTotal: Number(row.tax_total),
    ...derivedFields(state),
    taxSummary: shownSummary(sumTaxes(row.items.flatMap(({ taxLines }) => taxLines ?? []))),
    externalId: row.external_id ?? undefined,
    propertyId: row.property_id ?? undefined,
    shippingAddress: verbatimText(row.shipping_address),
    billingAddress: verbatimText(row.billing_address),
    customerNote: row.customer_note ?? undefined,
    metadata: verbatimText(row.metadata),
    trackingNumber: row.tracking_number ?? undefined,
    carrier: row.carrier ?? undefined,
    cancelReason: row.cancel_reason ?? undefined,
    version: row.version,
    internalNote: row.internal_note ?? undefined,
  };
}

function lineOf(
  { id: orderId, refunded_quantities: refunded }: OrderRow,
  { position, productId, variantId, description, taxLines, ...line }: LineRow,
): OrderLine {
  return {
    id: lineId(orderId, position),
    ...line,
    fulfilledQuantity: 0,
    refundedQuantity: refunded?.[position - 1] ?? 0,
    productId: productId ?? undefined,
    variantId: variantId ?? undefined,
    description: description ?? undefined,
    taxLines: taxLines ?? undefined,
  };
}
