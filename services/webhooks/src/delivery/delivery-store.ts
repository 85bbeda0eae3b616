// Reads a delivery as the API shows it, without its attempts (interface §7).
import { subscribableType } from "@tradepost/event-catalog";
import type { Selectable } from "kysely";
import { z } from "zod";
import { deliveryStatuses } from "../delivery-status.ts";
import type { Tables, Tenant } from "../tables.ts";

export const delivery = z
  .strictObject({
    id: z.uuid().describe("The same in every attempt: `X-service-Delivery`."),
    subscriptionId: z.uuid(),
    eventId: z.uuid(),
    type: subscribableType,
    status: z
      .enum(deliveryStatuses)
      .describe("`paused` with its subscription; `cancelled` if that was deleted before."),
    attemptCount: z.int().nonnegative().describe("Since the latest redelivery."),
    createdAt: z.iso.datetime(),
    nextAttemptAt: z.iso.datetime().nullable().describe("Null if none is planned."),
    completedAt: z.iso.datetime().nullable().describe("When it was delivered, failed or cancelled."),
  })
  .meta({ id: "Delivery", description: "An event on its way to one subscription." });

export async function findDelivery({ db, tenantId }: Tenant, id: string) {
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
