// Reads a delivery as the API shows it.
import type { Tenant } from "@tradepost/postgres";
import { type Selectable, sql } from "kysely";
import type { Tables } from "../tables.ts";
import { findRequest } from "./find-request.ts";

/** The stored response body of the attempt `made`. */
export const bodyOfAttempt = sql<string | null>`case when made.response_digest = '' then '' else (
  select body from response_bodies
   where response_bodies.tenant_id = made.tenant_id and response_bodies.digest = made.response_digest
     and response_bodies.day = (made.at at time zone 'utc')::date) end`;

/** Returns null if the tenant has no such delivery. */
export async function findDelivery({ db, tenantId }: Tenant<Tables>, id: string) {
  const row = await db
    .selectFrom("all_deliveries")
    .selectAll()
    .where("tenant_id", "=", tenantId)
    .where("id", "=", id)
    .executeTakeFirst();
  return row === undefined ? null : deliveryOf(row);
}

/** With every attempt, oldest first, and the request of the latest one. Returns null if the tenant has no such delivery. */
export async function findDeliveryWithAttempts(tenant: Tenant<Tables>, id: string) {
  const delivery = await findDelivery(tenant, id);
  if (delivery === null) return null;
  const made = await findAttempts(tenant, id);
  const latest = made.at(-1);
  return {
    ...delivery,
    attempts: made.map(({ subscriptionVersion: _, ...attempt }) => attempt),
    request: latest === undefined ? null : await findRequest(tenant, delivery, latest),
  };
}

/** A round is a generation: the first, or that of a redelivery, a recovery or a redrive. */
async function findAttempts({ db, tenantId }: Tenant<Tables>, deliveryId: string) {
  return await db
    .selectFrom("attempts as made")
    .select([
      "made.generation as round",
      "made.attempt",
      "made.at",
      "made.duration_ms as durationMs",
      "made.outcome",
      "made.status_code as statusCode",
      bodyOfAttempt.as("responseBody"),
      "made.subscription_version as subscriptionVersion",
    ])
    .where("made.tenant_id", "=", tenantId)
    .where("made.delivery_id", "=", deliveryId)
    .orderBy("made.generation")
    .orderBy("made.attempt")
    .orderBy("made.at")
    .execute();
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
