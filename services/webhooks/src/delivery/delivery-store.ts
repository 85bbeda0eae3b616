// Reads a delivery as the API shows it, without its attempts. Also has parts of statements that several folders use.
import type { Tenant } from "@tradepost/postgres";
import { type Selectable, sql } from "kysely";
import type { Tables } from "../tables.ts";

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

/** The order in which an endpoint's waiting deliveries are sent, which an index supports: the deliveries of a replay come last. */
export const IN_TURN = "replay_id is not null, next_attempt_at, id";

/**
 * Returns the SQL condition that the operator has not deleted the tenant in this column. It keeps events and attempts that were in
 * progress during a deletion from being stored.
 */
export function isNotDeleted(tenantIdColumn: string): string {
  return `not exists (select from deleted_tenants where tenant_digest = sha256(uuid_send(${tenantIdColumn})))`;
}
