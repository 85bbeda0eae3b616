// Why an event was, or was not, delivered to each of the tenant's subscriptions (interface §7). The reasons are derived from the
// subscriptions as they are now. Pure.
import type { FilterField } from "../event-filter.ts";

export interface EventFacts {
  readonly type: string;
  readonly receivedAt: Date;
  readonly isTest: boolean;
  readonly matchedCount: number;
  readonly filtered: Readonly<Record<string, readonly FilterField[]>> | null;
}

export interface SubscriptionFacts {
  readonly id: string;
  readonly name: string;
  readonly events: readonly string[];
  readonly version: number;
  readonly createdAt: Date;
}

export interface Match {
  readonly subscriptionId: string;
  readonly name: string;
  readonly matched: boolean;
  readonly reason: "type_not_subscribed" | "filtered" | "created_later" | null;
  readonly filteredBy: readonly FilterField[] | null;
  /** Null also if the delivery is no longer in the log. */
  readonly deliveryId: string | null;
}

/** A test is only for the subscription that it was sent to. */
export function matchesOf(
  event: EventFacts,
  subscriptions: readonly SubscriptionFacts[],
  deliveries: readonly { readonly id: string; readonly subscriptionId: string }[],
): Match[] {
  const deliveryIds = new Map(deliveries.map(({ id, subscriptionId }) => [subscriptionId, id]));
  // The log is dropped day by day, a day before the events.
  const isLogComplete = deliveries.length >= event.matchedCount;
  return subscriptions.flatMap((subscription) => {
    const deliveryId = deliveryIds.get(subscription.id) ?? null;
    if (deliveryId === null && event.isTest) return [];
    const reason = deliveryId === null ? reasonOf(event, subscription, isLogComplete) : null;
    return [
      {
        subscriptionId: subscription.id,
        name: subscription.name,
        matched: reason === null,
        reason,
        filteredBy: reason === "filtered" ? (event.filtered?.[subscription.id] ?? null) : null,
        deliveryId,
      },
    ];
  });
}

function reasonOf(
  { type, receivedAt, filtered }: EventFacts,
  { id, events, version, createdAt }: SubscriptionFacts,
  isLogComplete: boolean,
): Match["reason"] {
  if (filtered?.[id] !== undefined) return "filtered";
  if (!events.includes(type)) return "type_not_subscribed";
  if (createdAt > receivedAt) return "created_later";
  if (!isLogComplete) return null;
  // The subscription existed and has the type now. If it was ever changed, the type was added later; otherwise the event was
  // received just before the subscription's creation was committed.
  return version > 1 ? "type_not_subscribed" : "created_later";
}
