// A delivery of an example event: what an admin tries a receiver with.

import { eventData } from "@tradepost/event-catalog";
import { newId } from "@tradepost/runtime";
import { type Kysely, sql } from "kysely";
import type { Tables } from "../tables.ts";
import type { SubscriptionId } from "./change-deliveries.ts";
import { findDelivery } from "./delivery-store.ts";

/**
 * In: the subscription, and a subscribable type, or none for the first that it hears. Out: the delivery, waiting like
 * any other, or paused where its subscription is; null where the tenant has no such subscription.
 */
export async function insertExampleDelivery(
  db: Kysely<Tables>,
  { tenantId, subscriptionId }: SubscriptionId,
  wantedType: string | undefined,
  requestId: string,
) {
  return await db.transaction().execute(async (tx) => {
    const subscription = await tx
      .selectFrom("subscriptions")
      .select(["events", "active"])
      .where("tenant_id", "=", tenantId)
      .where("id", "=", subscriptionId)
      .forShare()
      .executeTakeFirst();
    if (subscription === undefined) return null;
    const type = wantedType ?? subscription.events[0] ?? "";
    const [id, eventId] = [newId(), newId()];
    await tx
      .insertInto("events")
      .values({
        tenant_id: tenantId,
        id: eventId,
        type,
        occurred_at: new Date(),
        request_id: requestId,
        data: JSON.stringify({ ...eventData[type]?.example, test: true }),
        matched: 1,
      })
      .execute();
    await tx
      .insertInto("deliveries")
      .values({
        tenant_id: tenantId,
        id,
        subscription_id: subscriptionId,
        event_id: eventId,
        type,
        ...(subscription.active
          ? { status: "pending", next_attempt_at: sql<Date>`now()`, queue_state: "waiting" }
          : { status: "paused", next_attempt_at: null, queue_state: null }),
        enqueued_at: null,
      })
      .execute();
    const { attempts: _, ...delivery } = (await findDelivery(tx, tenantId, id)) ?? { attempts: [] };
    return delivery;
  });
}
