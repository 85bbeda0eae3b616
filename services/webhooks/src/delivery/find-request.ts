// The request of an attempt as it was sent or leased, without its signatures. It is not stored: the body and most headers follow from the
// event and the time of the attempt. The URL and the names of the subscription's own headers are those of the version of the
// subscription that the attempt was made with.
import type { Tenant } from "@tradepost/postgres";
import { sql } from "kysely";
import type { Tables } from "../tables.ts";
import { bodyOf, headersOf, maskedHeaders } from "./request.ts";

export interface SentRequest {
  /** Missing for a listener, whose requests are sent by whoever leases them. */
  readonly url?: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

interface Sent {
  readonly attempt: number;
  readonly at: Date;
  readonly subscriptionVersion: number | null;
}

/** Returns null if its event, or what it was sent to, is no longer known. */
export async function findRequest(
  { db, tenantId }: Tenant<Tables>,
  delivery: { readonly id: string; readonly subscriptionId: string; readonly eventId: string },
  { attempt, at, subscriptionVersion }: Sent,
): Promise<SentRequest | null> {
  const { rows } = await sql<{
    type: string;
    occurredAt: Date;
    data: string;
    url: string | null;
    headerNames: string[];
  }>`
    select type, occurred_at as "occurredAt", data::text as data, target.url, target.header_names as "headerNames"
      from events
     cross join lateral (
       (select url, header_names from former_targets
         where tenant_id = ${tenantId} and subscription_id = ${delivery.subscriptionId}
           and version >= ${subscriptionVersion ?? 0}
         order by version limit 1)
       union all
       (select url, header_names from subscriptions where tenant_id = ${tenantId} and id = ${delivery.subscriptionId})
       limit 1
     ) target
     where events.tenant_id = ${tenantId} and events.id = ${delivery.eventId}`.execute(db);
  const [found] = rows;
  if (found === undefined) return null;
  const { type, data, url, headerNames } = found;
  const occurredAt = found.occurredAt.toISOString();
  const facts = {
    tenantId,
    deliveryId: delivery.id,
    attempt,
    eventId: delivery.eventId,
    type,
    occurredAt,
    data,
  };
  const body = bodyOf(facts, at);
  return {
    ...(url !== null && { url }),
    headers: {
      ...(url !== null && { Host: new URL(url).host }),
      ...headersOf(facts),
      ...maskedHeaders(headerNames),
      "webhook-id": delivery.id,
      "webhook-timestamp": String(Math.floor(at.getTime() / 1000)),
      ...(url !== null && { "Content-Length": String(Buffer.byteLength(body)) }),
    },
    body,
  };
}
