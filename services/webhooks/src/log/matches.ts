// Why an event was, or was not, delivered to each of the tenant's subscriptions (interface §7). The reasons are derived from the
// subscriptions as they are now. Pure.
import { z } from "zod";
import { type FilterField, filterField } from "../event-filter.ts";

export const match = z
  .strictObject({
    subscriptionId: z.uuid(),
    name: z.string(),
    matched: z.boolean().describe("Also true for a paused subscription, whose delivery is `paused`."),
    reason: z
      .enum(["type_not_subscribed", "filtered", "created_later"])
      .nullable()
      .describe("Null if it matched."),
    filteredBy: z
      .array(filterField)
      .nullable()
      .describe("The fields of its filter that the event did not match; null for any other reason."),
    deliveryId: z.uuid().nullable().describe("Null without a match, or if the delivery has left the log."),
  })
  .meta({
    id: "SubscriptionMatch",
    description: "Why a subscription has a delivery of an event or has none.",
  });

type Match = z.output<typeof match>;

export interface EventFacts {
  readonly type: string;
  readonly receivedAt: Date;
  readonly isTest: boolean;
  readonly matchedCount: number;
  readonly filtered: Readonly<Record<string, FilterField[]>> | null;
}

export interface SubscriptionFacts {
  readonly id: string;
  readonly name: string;
  readonly events: readonly string[];
  readonly version: number;
  readonly createdAt: Date;
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
