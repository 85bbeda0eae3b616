// Reads a page of the delivery log, newest first.
//
// `subscriptionId`, `eventId`, `createdAfter`, `createdBefore` select rows through an index, and statuses, outcomes and
// status codes of failures through a small one. For the other filters, rows are searched (`searchStatement`).
import { type PageQuery, pageQuery, searchedPage, shaped, storableTime } from "@tradepost/http";
import { allOf, searchStatement } from "@tradepost/postgres";
import { type RawBuilder, type Selectable, sql } from "kysely";
import { z } from "zod";
import { deliveryOf } from "../delivery/delivery.ts";
import { deliveryOutcomes, deliveryStatuses, givenUp, type Outcome } from "../delivery-status.ts";
import { typeQuery } from "../event-filter.ts";
import { NOT_OF_ORDERS, type Sight } from "../offered-types.ts";
import type { Tables, Tenant } from "../tables.ts";
import { SUBJECT } from "./event-store.ts";

export const deliveriesQuery = z.strictObject({
  ...pageQuery,
  subscriptionId: z.uuid("must be a UUID").optional().describe("Only deliveries to this subscription."),
  status: z
    .enum(deliveryStatuses, `must be one of ${deliveryStatuses.join(", ")}`)
    .optional()
    .describe("Only deliveries with this status."),
  type: typeQuery,
  eventId: z.uuid("must be a UUID").optional().describe("Only deliveries of this event."),
  outcome: z
    .enum(deliveryOutcomes, `must be one of ${deliveryOutcomes.join(", ")}`)
    .optional()
    .describe("Of the latest attempt; `expired` or `overflow` for what waited beyond a bound."),
  statusCode: shaped(
    z
      .string()
      .regex(/^[1-9]\d\d$/, "must be an HTTP status code")
      .transform(Number),
    z.int().min(100).max(999),
  )
    .optional()
    .describe("Of the latest attempt's response."),
  createdAfter: storableTime.optional().describe("Inclusive."),
  createdBefore: storableTime.optional().describe("Exclusive."),
  include: z
    .enum(["lastAttempt"], "must be lastAttempt")
    .optional()
    .describe("`lastAttempt`: each delivery has its latest attempt, without the response's body."),
});

export type DeliveryFilter = Partial<Omit<z.output<typeof deliveriesQuery>, keyof PageQuery | "include">> &
  Sight;

// The clocks of the processes, which time attempts, and of the database differ by less than this.
const CLOCKS_DIFFER = sql.raw("interval '1 hour'");

/** A page may be short and still have a `nextCursor`, if not all rows were searched. */
export async function listDeliveries(tenant: Tenant, query: z.output<typeof deliveriesQuery> & Sight) {
  const { rows } = await pageStatement(tenant.tenantId, query).execute(tenant.db);
  const found = rows.filter((row) => !row.is_end);
  const [subjects, attempts] = await Promise.all([
    findSubjects(tenant, [...new Set(found.map((row) => row.event_id))]),
    query.include === undefined ? null : findLatestAttempts(tenant, found),
  ]);
  return searchedPage(rows, query, deliveryOf, (delivery) => ({
    ...delivery,
    subject: subjects.get(delivery.eventId) ?? null,
    ...(attempts !== null && { lastAttempt: attempts.get(delivery.id) ?? null }),
  }));
}

/** By event id. Looks up ranges of one value, because only the primary key fits them (`event-store.ts`). */
async function findSubjects({ db, tenantId }: Tenant, eventIds: readonly string[]) {
  if (eventIds.length === 0) return new Map<string, string | null>();
  const { rows } = await sql<{ id: string; subject: string | null }>`
    select wanted.id, event.subject
      from unnest(${eventIds}::uuid[]) as wanted (id)
     cross join lateral (
       select ${SUBJECT} as subject from events
        where tenant_id = ${tenantId} and events.id >= wanted.id and events.id <= wanted.id
        order by events.id limit 1) event`.execute(db);
  return new Map(rows.map(({ id, subject }) => [id, subject]));
}

interface LatestAttempt {
  readonly at: Date;
  readonly durationMs: number;
  readonly outcome: Outcome;
  readonly statusCode: number | null;
}

export async function findLatestAttempts(
  { db, tenantId }: Tenant,
  rows: readonly Pick<Selectable<Tables["all_deliveries"]>, "id" | "created_at" | "completed_at">[],
): Promise<ReadonlyMap<string, LatestAttempt>> {
  if (rows.length === 0) return new Map();
  const found = await sql<LatestAttempt & { readonly id: string }>`
    select page.id, latest.at, latest.duration_ms as "durationMs", latest.outcome, latest.status_code as "statusCode"
      from unnest(${rows.map(({ id }) => id)}::uuid[],
                  ${rows.map((row) => row.created_at)}::timestamptz[],
                  ${rows.map((row) => row.completed_at)}::timestamptz[]) as page (id, created_at, completed_at)
    ${latestAttempt(tenantId)}`.execute(db);
  return new Map(found.rows.map(({ id, ...attempt }) => [id, attempt]));
}

export function pageStatement(tenantId: string, query: PageQuery & DeliveryFilter) {
  const { outcome, statusCode } = query;
  const needsAttempt = (outcome !== undefined && !isGivenUp(outcome)) || statusCode !== undefined;
  return searchStatement<Selectable<Tables["all_deliveries"]>>({
    columns: sql`all_deliveries.*`,
    from: sql`from all_deliveries where ${allOf(indexedConditions(tenantId, query))}`,
    order: sql`order by created_at desc, id desc`,
    lookup: needsAttempt ? latestAttempt(tenantId) : undefined,
    conditions: searchedConditions(tenantId, query),
    limit: query.limit,
  });
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

/** Whether the index of rows that are not `delivered` has all that can match. */
function excludesDelivered({ status, outcome, statusCode }: DeliveryFilter): boolean {
  return (
    (status !== undefined && status !== "delivered") ||
    (outcome !== undefined && outcome !== "delivered") ||
    (statusCode !== undefined && (statusCode < 200 || statusCode > 299))
  );
}

function isGivenUp(outcome: string): boolean {
  return (givenUp as readonly string[]).includes(outcome);
}

function searchedConditions(
  tenantId: string,
  { status, type, outcome, statusCode, hidesOrders }: DeliveryFilter,
): RawBuilder<unknown>[] {
  return [
    ...(hidesOrders ? [NOT_OF_ORDERS] : []),
    ...(status === undefined ? [] : [sql`status = ${status}`]),
    ...(type === undefined ? [] : [sql`type = ${type}`]),
    ...(outcome === undefined ? [] : [outcomeIs(tenantId, outcome)]),
    ...(statusCode === undefined ? [] : [sql`status_code = ${statusCode}`]),
  ];
}

function outcomeIs(tenantId: string, outcome: string): RawBuilder<unknown> {
  if (!isGivenUp(outcome)) return sql`latest.outcome = ${outcome}`;
  return sql`exists (
    select from delivery_log logged
     where logged.tenant_id = ${tenantId} and logged.id = page.id and logged.completed_at = page.completed_at
       and logged.outcome = ${outcome})`;
}

/** The bounds of `at` exclude the partitions of other days. */
function latestAttempt(tenantId: string): RawBuilder<unknown> {
  return sql`
    cross join lateral (
      select at, duration_ms, outcome, status_code from attempts
       where attempts.tenant_id = ${tenantId} and delivery_id = page.id
         and at >= page.created_at - ${CLOCKS_DIFFER}
         and at <= coalesce(page.completed_at + ${CLOCKS_DIFFER}, 'infinity')
       order by generation desc, attempt desc, at desc
       limit 1) latest`;
}
