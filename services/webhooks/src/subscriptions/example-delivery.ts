// Delivers an example event, by which an admin tests a receiver.
import { eventData, thinDataOf } from "@tradepost/event-catalog";
import { isOfOrders } from "@tradepost/event-catalog/order-events";
import { invalid, requireMatch } from "@tradepost/http";
import { admit } from "@tradepost/messaging";
import { newId } from "@tradepost/runtime";
import { findDelivery, ids, inserts, resources } from "../delivery/delivery.ts";
import { countReceived } from "../notices/notices.ts";
import { stillOffered } from "../offered-types.ts";
import type { Conditions } from "../route-context.ts";
import type { Tenant } from "../tables.ts";

/** Sends the subscription's first type by default. Throws 412 `version_mismatch`, 422 without an offered type. */
export async function insertExampleDelivery(
  tx: Tenant,
  subscriptionId: string,
  type: string | undefined,
  { ifMatch, cause }: Conditions,
) {
  const { tenantId } = tx;
  const subscription = await tx.db
    .selectFrom("subscriptions")
    .select(["events", "active", "version", "payload"])
    .where("tenant_id", "=", tenantId)
    .where("id", "=", subscriptionId)
    .where("url", "is not", null)
    .forShare()
    .executeTakeFirst();
  if (subscription === undefined) return null;
  requireMatch(ifMatch, subscription.version);
  const wanted = type === undefined ? subscription.events : [type];
  const offered = await stillOffered(tx, wanted);
  const sentType = wanted.find((one) => offered.has(one));
  if (sentType === undefined)
    throw invalid([
      { path: "type", message: "is required: none of the subscription's types is offered any more" },
    ]);
  const [eventId, occurredAt] = [newId(), new Date()];
  const id = ids.deliveryIdOf({ id: eventId, occurredAt }, subscriptionId);
  const { example: full = {} } = eventData[sentType] ?? {};
  const example = isOfOrders(sentType) ? thinDataOf(full) : full;
  const resource = resources.resourceOf(example);
  const data = JSON.stringify({ ...example, test: true });
  admit(cause, "eventBytes");
  await tx.db
    .insertInto("events")
    .values({
      tenant_id: tenantId,
      id: eventId,
      type: sentType,
      occurred_at: occurredAt,
      request_id: cause.requestId,
      traceparent: cause.traceparent,
      data,
      matched: 1,
      resource_id: resource.id,
      resource_version: resource.version,
      is_test: true,
      subject: resources.subjectOf(example),
    })
    .execute();
  await countReceived(tx, occurredAt, data);
  const [isPaused, isThin] = [!subscription.active, subscription.payload === "thin"];
  await inserts.one(tx, { id, subscriptionId, eventId, type: sentType, isPaused, isThin });
  return await findDelivery(tx, id);
}
