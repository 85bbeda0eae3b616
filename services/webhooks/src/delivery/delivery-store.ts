// Reads a delivery as the API shows it.
import type { Tenant } from "@tradepost/postgres";
import { type Selectable, sql } from "kysely";
import { jsonArrayFrom } from "kysely/helpers/postgres";
import type { Tables } from "../tables.ts";

/** The stored response body of the attempt `made`. */
export const bodyOfAttempt = sql<string | null>`case when made.response_digest = '' then '' else (
  select body from response_bodies
   where response_bodies.tenant_id = made.tenant_id and response_bodies.digest = made.response_digest
     and response_bodies.day = (made.at at time zone 'utc')::date) end`;

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

export function deliveryOf(row: Selectable<Tables["all_deliveries"]>) {
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
