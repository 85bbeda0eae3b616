// Decides which deliveries to create for a batch of events, and which of them start at once.
import { deliveryIdOf } from "../delivery/delivery.ts";
import { type FilterField, facetsOf, unmatchedFields } from "../event-filter.ts";
import type { Reservation, Scheduler } from "../sending/sending.ts";
import type { MatchedSubscription } from "./match-subscriptions.ts";
import type { ReceivedEvent } from "./received-event.ts";

export interface PlannedDelivery {
  readonly id: string;
  readonly event: ReceivedEvent;
  readonly subscription: MatchedSubscription;
  /** `claimed`: this process attempts it after the commit, and its attempt is reserved. Listeners' deliveries wait. */
  readonly state: "claimed" | "waiting" | "paused";
}

export interface Plan {
  readonly deliveries: readonly PlannedDelivery[];
  /** The attempts reserved for the claimed deliveries. Each reservation must be started or cancelled. */
  readonly reservations: readonly {
    readonly subscription: MatchedSubscription;
    readonly reservation: Reservation;
  }[];
  /** For each event that a filter held back: the fields that did not match, by subscription. */
  readonly filtered: ReadonlyMap<ReceivedEvent, Readonly<Record<string, readonly FilterField[]>>>;
}

/** An endpoint's deliveries start in the order of `events`. */
export function planDeliveries(
  events: readonly ReceivedEvent[],
  subscriptions: readonly MatchedSubscription[],
  scheduler: Pick<Scheduler, "reserve">,
): Plan {
  const byTenant = Map.groupBy(subscriptions, ({ tenantId }) => tenantId);
  const filtered = new Map<ReceivedEvent, Record<string, FilterField[]>>();
  const matches = events.flatMap((event) => {
    const identity = { id: event.id, occurredAt: new Date(event.occurred_at) };
    const facets = facetsOf(event.data);
    return (byTenant.get(event.tenant_id) ?? []).flatMap((subscription) => {
      const { subscriptionId, events: types, filter } = subscription;
      if (!types.includes(event.type)) return [];
      const unmatched = unmatchedFields(filter, facets);
      if (unmatched.length === 0)
        return [{ id: deliveryIdOf(identity, subscriptionId), event, subscription }];
      filtered.set(event, { ...filtered.get(event), [subscriptionId]: unmatched });
      return [];
    });
  });
  const reservations = [...Map.groupBy(matches, ({ subscription }) => subscription)].flatMap(
    ([subscription, { length }]) => {
      const mayStart = subscription.active && subscription.url !== null && !subscription.hasWaiting;
      const reservation = mayStart ? scheduler.reserve(subscription, length) : null;
      return reservation === null ? [] : [{ subscription, reservation }];
    },
  );
  const left = new Map(
    reservations.map(({ subscription, reservation }) => [subscription, reservation.count]),
  );
  const deliveries = matches.map((match): PlannedDelivery => {
    const { subscription } = match;
    if (!subscription.active) return { ...match, state: "paused" };
    const count = left.get(subscription) ?? 0;
    left.set(subscription, count - 1);
    return { ...match, state: count > 0 ? "claimed" : "waiting" };
  });
  return { deliveries, reservations, filtered };
}
