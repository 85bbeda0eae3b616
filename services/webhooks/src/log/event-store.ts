// Reads events as the API shows them, with their deliveries. Fan-out stores each event that tenants can subscribe to, even if no
// subscription matches.
import { isOfOrders } from "@tradepost/event-catalog/order-events";
import { pageQuery, searchedPage, storableTime } from "@tradepost/http";
import { allOf, searchStatement } from "@tradepost/postgres";
import { hasWords, search } from "@tradepost/search";
import { type RawBuilder, type Selectable, sql } from "kysely";
import { z } from "zod";
import { type deliveryOf, ids } from "../delivery/delivery.ts";
import { typeQuery } from "../event-filter.ts";
import { INACTIVE_EVENTS, NOT_OF_ORDERS, type Sight } from "../offered-types.ts";
import type { Tables, Tenant } from "../tables.ts";
import { matchesOf } from "./matches.ts";

type EventRow = Pick<
  Selectable<Tables["events"]>,
  "id" | "type" | "resource_id" | "occurred_at" | "request_id" | "subject"
>;

export const subject = z
  .string()
  .nullable()
  .describe("An entry's title or slug, a file's name, a redirect's decoded `from` or an order's number.");

/** Events of 1.0.0 have no `subject`. */
export const SUBJECT = sql<string | null>`coalesce(subject, facets->>'slug', facets->>'from')`;

// How far an event's two times may differ: its id is from its process's clock, `occurred_at` from the database's. Requests
// between services are refused once clocks differ by 30 s.
const CLOCKS_DIFFER_MS = 120_000;

/** Newest first, without the tests that admins sent. */
export async function listEvents(tenant: Tenant, query: EventsQuery) {
  const { rows } = await pageStatement(tenant.tenantId, query).execute(tenant.db);
  const ids = rows.slice(0, query.limit).map(({ id }) => id);
  const deliveries = await deliveriesOf(tenant, ids, DELIVERIES_OF_LISTED_MAX);
  const withPosition = (row: EventRow) => ({ ...row, createdAt: row.occurred_at });
  return searchedPage(rows, query, withPosition, (row) => eventOf(row, deliveries.get(row.id)));
}

export async function findEvent(tenant: Tenant, id: string, { hidesOrders }: Sight = {}) {
  const { db, tenantId } = tenant;
  const event = await db
    .selectFrom("events")
    .select(["id", "type", "resource_id", "occurred_at", "request_id", "subject", "data", "facets"])
    .select(["received_at as receivedAt", "is_test as isTest", "matched as matchedCount", "filtered"])
    .where("tenant_id", "=", tenantId)
    .where("id", "=", id)
    .executeTakeFirst();
  if (event === undefined || (hidesOrders && isOfOrders(event.type))) return null;
  const [deliveries, subscriptions] = await Promise.all([
    deliveriesOf(tenant, [id], DELIVERIES_OF_EVENT_MAX),
    db
      .selectFrom("subscriptions")
      .select(["id", "name", "events", "version", "created_at as createdAt"])
      .select(INACTIVE_EVENTS)
      .where("tenant_id", "=", tenantId)
      .orderBy("created_at", "desc")
      .orderBy("id", "desc")
      .execute(),
  ]);
  const found = deliveries.get(event.id);
  return {
    ...eventOf(
      { ...event, subject: event.subject ?? event.facets?.slug ?? event.facets?.from ?? null },
      found,
    ),
    data: event.data,
    subscriptions: matchesOf(
      event,
      subscriptions.map(({ inactive_events, events, ...one }) => ({
        ...one,
        events: events.filter((type) => !inactive_events.includes(type)),
      })),
      found ?? [],
    ),
  };
}

export function pageStatement(tenantId: string, query: EventsQuery) {
  const { type, resourceId, createdAfter, createdBefore, cursor, limit, search, hidesOrders } = query;
  const indexed: RawBuilder<unknown>[] = [
    sql`tenant_id = ${tenantId}`,
    ...(resourceId === undefined ? [] : [sql`resource_id = ${resourceId}`]),
    ...(createdAfter === undefined ? [] : [sql`id >= ${firstIdNear(createdAfter, -CLOCKS_DIFFER_MS)}`]),
    ...(createdBefore === undefined ? [] : [sql`id < ${firstIdNear(createdBefore, CLOCKS_DIFFER_MS)}`]),
    ...(cursor === null ? [] : [sql`id < ${cursor.id}`]),
  ];
  return searchStatement<EventRow>({
    columns: sql`id, type, resource_id, occurred_at, request_id, is_test, ${SUBJECT} as subject${
      search === undefined ? sql`` : sql`, subject_words`
    }`,
    from: sql`from events where ${allOf(indexed)}`,
    order: sql`order by id desc`,
    conditions: [
      sql`not is_test`,
      ...(hidesOrders ? [NOT_OF_ORDERS] : []),
      ...(type === undefined ? [] : [sql`type = ${type}`]),
      ...(search === undefined ? [] : [hasWords(sql`subject_words`, search)]),
      ...(createdAfter === undefined ? [] : [sql`occurred_at >= ${createdAfter}`]),
      ...(createdBefore === undefined ? [] : [sql`occurred_at < ${createdBefore}`]),
    ],
    limit,
  });
}

const ID_MILLISECONDS_MAX = 2 ** 48 - 1;

function firstIdNear(time: string, differenceMs: number): string {
  const milliseconds = new Date(time).getTime() + differenceMs;
  return ids.firstIdAt(new Date(Math.min(Math.max(0, milliseconds), ID_MILLISECONDS_MAX)));
}

// A tenant has at most 50 subscriptions, and deleted ones may have deliveries.
const DELIVERIES_OF_EVENT_MAX = 1_000;
// With more, a page of 100 events would exceed 2 MiB.
const DELIVERIES_OF_LISTED_MAX = 150;

export type DeliveryOfEvent = Pick<ReturnType<typeof deliveryOf>, "id" | "subscriptionId" | "status">;

async function deliveriesOf({ db, tenantId }: Tenant, eventIds: readonly string[], ofEventMax: number) {
  // Looks up each event separately: with this order only the index of the events fits. With `event_id = …`, a plan made on a small
  // table could read all deliveries of the tenant.
  const { rows } = await sql<DeliveryOfEvent & { eventId: string }>`
    select delivery.event_id as "eventId", delivery.id, delivery.subscription_id as "subscriptionId", delivery.status
      from unnest(${eventIds}::uuid[]) as event (id)
     cross join lateral (
       select * from all_deliveries
        where tenant_id = ${tenantId} and event_id >= event.id and event_id <= event.id
        order by event_id limit ${ofEventMax}
     ) delivery
     order by delivery.subscription_id`.execute(db);
  return Map.groupBy(rows, ({ eventId }) => eventId);
}

function eventOf(row: EventRow, deliveries: readonly DeliveryOfEvent[] = []) {
  return {
    id: row.id,
    type: row.type,
    resourceId: row.resource_id,
    subject: row.subject,
    occurredAt: row.occurred_at,
    requestId: row.request_id,
    deliveries: deliveries.map(({ id, subscriptionId, status }) => ({ id, subscriptionId, status })),
  };
}

export const eventsQuery = z.strictObject({
  ...pageQuery,
  type: typeQuery,
  resourceId: z
    .uuid("must be a UUID")
    .optional()
    .describe("The id of a redirect, an entry, a media asset or an order."),
  search: search
    .optional()
    .describe("Each word must begin a word of the subject. Case and accents do not matter."),
  createdAfter: storableTime.optional().describe("Limits `occurredAt`; inclusive."),
  createdBefore: storableTime.optional().describe("Limits `occurredAt`; exclusive."),
});

export type EventsQuery = z.output<typeof eventsQuery> & Sight;
