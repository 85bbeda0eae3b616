import { isOfOrders } from "@tradepost/event-catalog/order-events";
import { sql } from "kysely";
import { findDelivery, requests } from "../delivery/delivery.ts";
import { ownHeaders } from "../endpoint/endpoint.ts";
import type { Sight } from "../offered-types.ts";
import { bodyOfAttempt } from "../statement-parts.ts";
import type { Tenant } from "../tables.ts";

export async function findDeliveryWithAttempts(tenant: Tenant, id: string, { hidesOrders }: Sight = {}) {
  const delivery = await findDelivery(tenant, id);
  if (delivery === null || (hidesOrders && isOfOrders(delivery.type))) return null;
  const made = await findAttempts(tenant, id);
  const latest = made.at(-1);
  return {
    ...delivery,
    outcome: (delivery.status === "failed" ? await findGivenUp(tenant, id) : null) ?? latest?.outcome ?? null,
    attempts: made.map(({ subscriptionVersion: _, isThin: __, ...attempt }) => attempt),
    request: latest === undefined ? null : await findRequest(tenant, delivery, latest),
  };
}

/** Returns the outcome of a delivery that waited beyond a bound, or null. */
async function findGivenUp({ db, tenantId }: Tenant, id: string) {
  const row = await db
    .selectFrom("delivery_log")
    .select("outcome")
    .where("tenant_id", "=", tenantId)
    .where("id", "=", id)
    .executeTakeFirst();
  return row?.outcome ?? null;
}

const NOT_MEASURED = { dnsMs: null, connectMs: null, tlsMs: null, firstByteMs: null };

/** A round is a generation: the first, or that of a redelivery, a recovery or a redrive. */
async function findAttempts({ db, tenantId }: Tenant, deliveryId: string) {
  const rows = await db
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
      "made.is_thin as isThin",
      "made.address",
      "made.is_reused as isReused",
      "made.phases",
    ])
    .where("made.tenant_id", "=", tenantId)
    .where("made.delivery_id", "=", deliveryId)
    .orderBy("made.generation")
    .orderBy("made.attempt")
    .orderBy("made.at")
    .execute();
  return rows.map(({ isReused, phases, ...attempt }) => ({
    ...attempt,
    isReusedConnection: isReused ?? false,
    phases: phases ?? NOT_MEASURED,
  }));
}

type Made = Awaited<ReturnType<typeof findAttempts>>[number];

/**
 * Returns the request as it was sent or leased, without signatures; null if its event or target is no longer known. URL and header
 * names are from the subscription's version at the attempt.
 */
async function findRequest(
  { db, tenantId }: Tenant,
  delivery: { readonly id: string; readonly subscriptionId: string; readonly eventId: string },
  { round, attempt, at, subscriptionVersion, isThin }: Made,
) {
  type Event = Pick<requests.Facts, "type" | "data" | "resourceId" | "resourceVersion" | "replayId">;
  const { rows } = await sql<Event & { occurredAt: Date; url: string | null; headerNames: string[] }>`
    select type, occurred_at as "occurredAt", data::text as data, resource_id as "resourceId",
           resource_version as "resourceVersion", target.url, target.header_names as "headerNames",
           -- Of its last round.
           (select replay_id from all_deliveries
             where tenant_id = ${tenantId} and id = ${delivery.id} and generation = ${round}) as "replayId"
      from events
     cross join lateral (
       (select url, header_names from former_targets
         where tenant_id = ${tenantId} and subscription_id = ${delivery.subscriptionId}
           and version >= ${subscriptionVersion}
         order by version limit 1)
       union all
       (select url, header_names from subscriptions where tenant_id = ${tenantId} and id = ${delivery.subscriptionId})
       limit 1
     ) target
     where events.tenant_id = ${tenantId} and events.id = ${delivery.eventId}`.execute(db);
  const [found] = rows;
  if (found === undefined) return null;
  const { url, headerNames, ...event } = found;
  const { id: deliveryId, eventId } = delivery;
  const occurredAt = found.occurredAt.toISOString();
  const facts = { ...event, occurredAt, tenantId, deliveryId, attempt, eventId, isThin };
  const body = requests.bodyOf(facts, at);
  return {
    ...(url !== null && { url }),
    headers: {
      ...(url !== null && { Host: new URL(url).host }),
      ...requests.headersOf(facts),
      ...ownHeaders.masked(headerNames),
      "webhook-id": delivery.id,
      "webhook-timestamp": String(Math.floor(at.getTime() / 1000)),
      ...(url !== null && { "Content-Length": String(Buffer.byteLength(body)) }),
    },
    body,
  };
}
