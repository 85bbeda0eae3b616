// The signed request of an attempt, whether it is sent or leased. It is derived from the delivery, the time of the attempt and the
// signing keys, so the API can show it later without storing it (interface §7). Pure.
import { thinDataOf } from "@tradepost/event-catalog";
import { signatureHeaders, type signingKeys } from "../endpoint/endpoint.ts";
import { resourceKindOf } from "./resource.ts";

const USER_AGENT = "Tradepost-Webhooks/1";

export interface Facts {
  readonly tenantId: string;
  readonly deliveryId: string;
  /** From 1 in each round. */
  readonly attempt: number;
  readonly eventId: string;
  readonly type: string;
  /** In ISO 8601. */
  readonly occurredAt: string;
  readonly data: string;
  readonly isThin?: boolean | null;
  /** Null if the event has no resource with an id. */
  readonly resourceId: string | null;
  readonly resourceVersion: number | null;
  readonly replayId: string | null;
}

export function headersOf(facts: Facts): Record<string, string> {
  const { type, resourceId, resourceVersion, replayId } = facts;
  return {
    "Content-Type": "application/json",
    "User-Agent": USER_AGENT,
    "Accept-Encoding": "identity",
    "X-service-Event": type,
    "X-service-Delivery": facts.deliveryId,
    "X-service-Attempt": String(facts.attempt),
    "X-service-Event-Id": facts.eventId,
    "X-service-Event-Time": facts.occurredAt,
    ...(resourceId !== null && { "X-service-Resource": `${resourceKindOf(type)}/${resourceId}` }),
    ...(resourceVersion !== null && { "X-service-Resource-Version": String(resourceVersion) }),
    ...(replayId !== null && { "X-service-Replay": replayId }),
  };
}

/** Returns the body. Full data is sent byte for byte as stored. `at` is when the attempt began. */
export function bodyOf({ deliveryId, type, tenantId, data, isThin }: Facts, at: Date): string {
  const sent = isThin ? JSON.stringify(thinDataOf(JSON.parse(data))) : data;
  const start = JSON.stringify({ id: deliveryId, type, tenant_id: tenantId });
  const end = JSON.stringify({ delivered_at: at.toISOString() });
  return `${start.slice(0, -1)},"data":${sent},${end.slice(1)}`;
}

interface Signing {
  readonly keys: ReturnType<typeof signingKeys>;
  /** During the overlap after a rotation. */
  readonly previousKeys?: Signing["keys"] | undefined;
  readonly ownHeaders?: Readonly<Record<string, string>>;
}

export function signed(facts: Facts, at: Date, { keys, previousKeys, ownHeaders = {} }: Signing) {
  const body = Buffer.from(bodyOf(facts, at));
  return {
    headers: {
      ...headersOf(facts),
      ...ownHeaders,
      ...signatureHeaders(keys, facts.deliveryId, at, body, previousKeys),
    },
    body,
  };
}
