// Reads deliveries as the API shows them.
import type { PageQuery } from "@tradepost/http";
import { newestFirst, type Tenant } from "@tradepost/postgres";
import { type Selectable, sql } from "kysely";
import { jsonArrayFrom } from "kysely/helpers/postgres";
import type { Tables } from "../tables.ts";
import type { DeliveryStatus } from "./delivery.ts";

export interface DeliveryFilter {
  readonly subscriptionId?: string | undefined;
  readonly status?: DeliveryStatus | undefined;
  readonly type?: string | undefined;
}

/** The stored response body of the attempt `made`. */
export const bodyOfAttempt = sql<string | null>`case when made.response_digest = '' then '' else (
  select body from response_bodies
   where response_bodies.tenant_id = made.tenant_id and response_bodies.digest = made.response_digest
     and response_bodies.day = (made.at at time zone 'utc')::date) end`;

/** Newest first; one row more than the limit if there is a next page. */
export async function listDeliveries({ db, tenantId }: Tenant<Tables>, query: PageQuery & DeliveryFilter) {
  const { subscriptionId, status, type } = query;
  let matching = db.selectFrom("all_deliveries").selectAll().where("tenant_id", "=", tenantId);
  if (subscriptionId !== undefined) matching = matching.where("subscription_id", "=", subscriptionId);
  if (status !== undefined) matching = matching.where("status", "=", status);
  if (type !== undefined) matching = matching.where("type", "=", type);
  const rows = await newestFirst(matching, query).execute();
  return rows.map(deliveryOf);
}

/** With every attempt, oldest first. Returns null if the tenant has no such delivery. */
export async function findDelivery({ db, tenantId }: Tenant<Tables>, id: string) {
  const row = await db
    .selectFrom("all_deliveries")
    .selectAll()
    .select((is) =>
      jsonArrayFrom(
        is
          .selectFrom("attempts as made")
          .select([
            "made.attempt",
            sql<string>`to_char(made.at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`.as("at"),
            "made.duration_ms as durationMs",
            "made.outcome",
            "made.status_code as statusCode",
            bodyOfAttempt.as("responseBody"),
          ])
          .whereRef("made.tenant_id", "=", "all_deliveries.tenant_id")
          .whereRef("made.delivery_id", "=", "all_deliveries.id")
          .orderBy("made.generation")
          .orderBy("made.attempt"),
      ).as("attempts"),
    )
    .where("tenant_id", "=", tenantId)
    .where("id", "=", id)
    .executeTakeFirst();
  return row === undefined ? null : { ...deliveryOf(row), attempts: row.attempts };
}

function deliveryOf(row: Selectable<Tables["all_deliveries"]>) {
  return {
    id: row.id,
    subscriptionId: row.subscription_id,
    eventId: row.event_id,
    type: row.type,
    status: row.status,
    attemptCount: row.attempt_count,
    createdAt: row.created_at,
    nextAttemptAt: row.next_attempt_at,
    completedAt: row.completed_at,
  };
}
