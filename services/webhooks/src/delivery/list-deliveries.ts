// Reads a page of the delivery log, newest first.
//
// The filters `subscriptionId`, `eventId`, `createdAfter` and `createdBefore` choose rows through an index, and so do the
// statuses, outcomes and status codes of failures, which have a small index of their own. For the others an index would cost
// every delivery more than it is worth: their rows are searched among at most `SEARCHED_ROWS_MAX`, and a page may end there.
import { cursorOf, cursorPage, type PageQuery } from "@tradepost/http";
import type { Tenant } from "@tradepost/postgres";
import { type RawBuilder, type Selectable, sql } from "kysely";
import type { Tables } from "../tables.ts";
import type { DeliveryStatus, Outcome } from "./delivery.ts";
import { deliveryOf } from "./delivery-store.ts";

export interface DeliveryFilter {
  readonly subscriptionId?: string | undefined;
  readonly eventId?: string | undefined;
  readonly status?: DeliveryStatus | undefined;
  readonly type?: string | undefined;
  /** Of the latest attempt. */
  readonly outcome?: Outcome | undefined;
  /** Of the latest attempt. */
  readonly statusCode?: number | undefined;
  /** Inclusive. */
  readonly createdAfter?: string | undefined;
  /** Exclusive. */
  readonly createdBefore?: string | undefined;
}

type DeliveryRow = Selectable<Tables["all_deliveries"]> & { readonly is_end: boolean };

// About 100 ms if none of them matches and the latest attempt of each is looked up.
const SEARCHED_ROWS_MAX = 10_000;
// The clocks of processes, which time the attempts, and of the database, which times the rest, differ by less.
const CLOCKS_DIFFER = sql.raw("interval '1 hour'");

/** A page with fewer deliveries than the limit has a `nextCursor` if not all rows were searched. */
export async function listDeliveries(tenant: Tenant<Tables>, query: PageQuery & DeliveryFilter) {
  const { rows } = await pageStatement(tenant.tenantId, query).execute(tenant.db);
  const end = rows.findLast((row) => row.is_end);
  const found = rows.filter((row) => !row.is_end).map(deliveryOf);
  return end === undefined
    ? cursorPage(found, query.limit)
    : { items: found, nextCursor: cursorOf({ createdAt: end.created_at, id: end.id }) };
}

/**
 * One row more than the limit if there is a next page. If all rows that may be searched have fewer matches, the last row
 * searched follows them, marked `is_end`: it is read only then, because the limit ends the statement earlier.
 */
export function pageStatement(tenantId: string, query: PageQuery & DeliveryFilter): RawBuilder<DeliveryRow> {
  const order = sql`order by created_at desc, id desc`;
  const searched = sql`from all_deliveries where ${all(indexedConditions(tenantId, query))} ${order}`;
  const limit = query.limit + 1;
  const conditions = searchedConditions(query);
  if (conditions.length === 0) return sql`select *, false as is_end ${searched} limit ${limit}`;
  const needsAttempt = query.outcome !== undefined || query.statusCode !== undefined;
  return sql`
    (select page.*, false as is_end
       from (select * ${searched} limit ${SEARCHED_ROWS_MAX}) page
            ${needsAttempt ? latestAttempt(tenantId) : sql``}
      where ${all(conditions)}
      ${order}
      limit ${limit})
    union all
    (select *, true ${searched} offset ${SEARCHED_ROWS_MAX - 1} limit 1)
    limit ${limit}`;
}

function indexedConditions(tenantId: string, query: PageQuery & DeliveryFilter): RawBuilder<unknown>[] {
  const { subscriptionId, eventId, createdAfter, createdBefore, cursor } = query;
  return [
    sql`tenant_id = ${tenantId}`,
    ...(subscriptionId === undefined ? [] : [sql`subscription_id = ${subscriptionId}`]),
    ...(eventId === undefined ? [] : [sql`event_id = ${eventId}`]),
    ...(excludesDelivered(query) ? [sql`status <> 'delivered'`] : []),
    ...(createdAfter === undefined ? [] : [sql`created_at >= ${createdAfter}`]),
    ...(createdBefore === undefined ? [] : [sql`created_at < ${createdBefore}`]),
    ...(cursor === null ? [] : [sql`(created_at, id) < (${cursor.createdAt}, ${cursor.id})`]),
  ];
}

/** Decides whether the index of the deliveries that did not succeed has all rows that can match. */
function excludesDelivered({ status, outcome, statusCode }: DeliveryFilter): boolean {
  return (
    (status !== undefined && status !== "delivered") ||
    (outcome !== undefined && outcome !== "delivered") ||
    (statusCode !== undefined && (statusCode < 200 || statusCode > 299))
  );
}

function searchedConditions({ status, type, outcome, statusCode }: DeliveryFilter): RawBuilder<unknown>[] {
  return [
    ...(status === undefined ? [] : [sql`status = ${status}`]),
    ...(type === undefined ? [] : [sql`type = ${type}`]),
    ...(outcome === undefined ? [] : [sql`outcome = ${outcome}`]),
    ...(statusCode === undefined ? [] : [sql`status_code = ${statusCode}`]),
  ];
}

/** The bounds of `at` spare the partitions of all other days. */
function latestAttempt(tenantId: string): RawBuilder<unknown> {
  return sql`
    cross join lateral (
      select outcome, status_code from attempts
       where attempts.tenant_id = ${tenantId} and delivery_id = page.id
         and at >= page.created_at - ${CLOCKS_DIFFER}
         and at <= coalesce(page.completed_at + ${CLOCKS_DIFFER}, 'infinity')
       order by generation desc, attempt desc, at desc
       limit 1) latest`;
}

function all(conditions: readonly RawBuilder<unknown>[]): RawBuilder<unknown> {
  return sql.join(conditions, sql` and `);
}
