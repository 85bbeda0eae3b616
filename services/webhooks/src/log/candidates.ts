// Finds the deliveries that a replay may send: the failed ones of a period, or its events, each with its delivery. Both also read
// dead letters, whose row in the log may have been dropped with its day.
import { NO_ID } from "@tradepost/http";
import { type RawBuilder, sql } from "kysely";
import type { DeliveryStatus } from "../delivery-status.ts";
import { type EventFilter, type Facets, unmatchedFields } from "../event-filter.ts";
import type { Tenant } from "../tables.ts";
import type { Selection } from "./replay-input.ts";

export interface Position {
  /** Text, because it starts as -infinity. */
  readonly at: string;
  readonly id: string;
}

export const START: Position = { at: "-infinity", id: NO_ID };

export interface Candidate extends Position {
  readonly eventId: string;
  readonly type: string;
  readonly resourceId: string | null;
  readonly deliveryId: string | null;
  readonly status: DeliveryStatus | null;
  /** Of the latest attempt, or why the delivery was given up; read only where a selection needs it. */
  readonly outcome: string | null;
  readonly statusCode: number | null;
  /** Null for a failed delivery, which is restarted whatever its event contains. */
  readonly event: {
    readonly occurredAt: string;
    readonly facets: Facets;
    /** Whether the log still has its day: events are kept longer. */
    readonly isInLog: boolean;
  } | null;
}

export interface Wanted {
  readonly events: readonly string[];
  readonly filter: EventFilter | null;
  readonly notOffered: readonly string[];
}

/** Returns null to skip the candidate. Pure. */
export function actionFor(
  candidate: Candidate,
  { include, outcome, statusCode, resourceId }: Selection,
  { events, filter, notOffered }: Wanted,
): "restart" | "make" | null {
  const { type, status, event } = candidate;
  if (notOffered.includes(type)) return null;
  if (outcome !== undefined && candidate.outcome !== outcome) return null;
  if (statusCode !== undefined && candidate.statusCode !== statusCode) return null;
  if (resourceId !== undefined && candidate.resourceId !== resourceId) return null;
  if (status !== null) {
    const isIncluded =
      status === "failed" ? include !== "missing" : include === "all" && status === "delivered";
    return isIncluded ? "restart" : null;
  }
  if (include === "failed" || event === null || !event.isInLog || !events.includes(type)) return null;
  return unmatchedFields(filter, event.facets).length === 0 ? "make" : null;
}

export type Period = Selection & { readonly until: Date };

interface Page {
  readonly subscriptionId: string;
  readonly selection: Period;
  readonly after: Position;
  readonly limit: number;
}

/** If there are fewer than `limit`, they are the last. */
export async function findCandidates({ db, tenantId }: Tenant, page: Page): Promise<Candidate[]> {
  const statement = page.selection.include === "failed" ? failedDeliveries : eventsOfPeriod;
  const { rows } = await statement(tenantId, page).execute(db);
  return rows;
}

function failedDeliveries(
  tenantId: string,
  { subscriptionId, selection, after, limit }: Page,
): RawBuilder<Candidate> {
  const { since, until, types } = selection;
  const failedIn = (
    columns: RawBuilder<unknown>,
    table: RawBuilder<unknown>,
    time: string,
    id: string,
  ) => sql`
        (select ${columns} from ${table}
          where tenant_id = ${tenantId} and subscription_id = ${subscriptionId}
            and ${sql.ref(time)} >= ${since} and ${sql.ref(time)} < ${until}
            and (${sql.ref(time)}, ${sql.ref(id)}) > (${after.at}::timestamptz, ${after.id}::uuid)
            ${types === undefined ? sql`` : sql`and type = any(${types})`}
          order by ${sql.ref(time)}, ${sql.ref(id)}
          limit ${limit})`;
  return sql`
    select failed_at::text as at, found.id, event_id as "eventId", type, found.id as "deliveryId",
           ${sql.lit("failed")} as status, ${latestOf("found")}, null as event,
           (select resource_id from events
             where events.tenant_id = ${tenantId} and events.id >= event_id and events.id <= event_id
             order by events.id limit 1) as "resourceId"
      from (
        select * from (${failedIn(
          sql`id, event_id, type, completed_at as failed_at, outcome, null::integer as status_code`,
          sql`(select * from delivery_log where status = ${sql.lit("failed")}) as logged`,
          "completed_at",
          "id",
        )} union all ${failedIn(
          sql`delivery_id, event_id, type, failed_at, ${REASON}`,
          // Compared with null so that each dead letter is looked up by its key.
          sql`(select * from dead_letters
                where failed_at < ${LOG_START}
                  and (select true from delivery_log
                        where tenant_id = ${tenantId} and id = delivery_id and completed_at = failed_at) is null) as dead`,
          "failed_at",
          "delivery_id",
        )}) as either
         order by failed_at, id
         limit ${limit}) as found
      left join ${latestAttempt(tenantId, "found", selection)} on true
     order by failed_at, found.id`;
}

// The oldest day of the log, before which rows may have been dropped; null without a day.
const LOG_START = sql.raw(`(
      select min(to_date(right(inhrelid::regclass::text, 8), 'YYYYMMDD'))::timestamp at time zone 'utc' from pg_inherits
       where inhparent = 'delivery_log'::regclass and inhrelid::regclass::text ~ '_\\d{8}$')`);

const REASON = sql.raw("split_part(reason, ' ', 1), nullif(split_part(reason, ' ', 2), '')::integer");

const latestOf = (of: string) => sql`
           coalesce(${sql.ref(`${of}.outcome`)}, latest.outcome) as outcome,
           coalesce(${sql.ref(`${of}.status_code`)}, latest.status_code) as "statusCode"`;

function eventsOfPeriod(
  tenantId: string,
  { subscriptionId, selection, after, limit }: Page,
): RawBuilder<Candidate> {
  const { since, until, types, resourceId } = selection;
  const isOfEvent = sql`tenant_id = ${tenantId} and subscription_id = ${subscriptionId}
           and event_id >= event.id and event_id <= event.id`;
  return sql`
    select event.occurred_at::text as at, event.id, event.id as "eventId", type, resource_id as "resourceId",
           delivery.id as "deliveryId", delivery.status, ${latestOf("delivery")},
           json_build_object('occurredAt', event.occurred_at, 'facets', event.facets,
                             'isInLog', event.matched = 0 or event.received_at >= coalesce(${LOG_START}, '-infinity')) as event
      from (
        select * from events
         where tenant_id = ${tenantId} and not is_test and occurred_at >= ${since} and occurred_at < ${until}
           and (occurred_at, id) > (${after.at}::timestamptz, ${after.id}::uuid)
           ${types === undefined ? sql`` : sql`and type = any(${types})`}
           ${resourceId === undefined ? sql`` : sql`and resource_id = ${resourceId}`}
         order by occurred_at, id
         limit ${limit}) as event
      left join lateral (
        (select id, status, null::text as outcome, null::integer as status_code
           from deliveries where ${isOfEvent} order by event_id limit 1)
        union all
        (select id, status, outcome, null from delivery_log where ${isOfEvent} order by event_id limit 1)
        union all
        (select delivery_id, 'failed', ${REASON} from dead_letters where ${isOfEvent} order by event_id limit 1)
        limit 1) as delivery on true
      left join ${latestAttempt(tenantId, "delivery", selection)} on true
     order by event.occurred_at, event.id`;
}

/** Empty unless the selection needs it: each lookup searches the attempts of every day. */
function latestAttempt(
  tenantId: string,
  of: string,
  { outcome, statusCode }: Selection,
): RawBuilder<unknown> {
  const isNeeded = outcome !== undefined || statusCode !== undefined;
  return sql`lateral (
        select outcome, status_code from attempts
         where ${sql.lit(isNeeded)} and attempts.tenant_id = ${tenantId} and delivery_id = ${sql.ref(`${of}.id`)}
         order by generation desc, attempt desc, at desc
         limit 1) as latest`;
}
