import { namedStatement } from "@tradepost/postgres";
import { ids, inserts } from "../delivery/delivery.ts";
import { type EventFilter, type FilterField, facetsOf, unmatchedFields } from "../event-filter.ts";
import type { EndpointState } from "../sending/sending.ts";
import {
  CONSECUTIVE_FAILURES,
  IN_TURN,
  IS_RECORDED_HEALTHY,
  IS_SUCCESS_DUE,
  RESTRAINT,
} from "../statement-parts.ts";
import type { Payload } from "../tables.ts";
import type { ReceivedEvent } from "./received-event.ts";

export interface MatchedSubscription extends EndpointState {
  readonly events: readonly string[];
  readonly filter: EventFilter | null;
  readonly payload: Payload;
  readonly active: boolean;
  readonly version: number;
  readonly url: string | null;
  readonly secretSealed: Buffer;
  readonly previousSecretSealed: Buffer | null;
  readonly headersSealed: Buffer | null;
  readonly isRecordedHealthy: boolean;
  /** Whether older deliveries of the subscription must be sent first. Deliveries of a replay need not. */
  readonly hasWaiting: boolean;
  readonly isSuccessDue: boolean;
  /** Differs if any field above does, except `isSuccessDue`. */
  readonly stamp: Buffer;
}

const STATE = `"subscriptionId", events, filter, payload, active, version, url, "secretSealed", "previousSecretSealed", "headersSealed",
  "windowSize", "isProven", origin, "consecutiveFailures", "isRestrained", "heldForMs", "isRecordedHealthy", "hasWaiting"`;

// The share lock keeps the subscriptions from being paused, changed or deleted until the commit: such a change waits and finds
// these deliveries, or commits first and is seen here. Locks are taken in the order of the ids, as everywhere.
const matched = ({ skipsLocked }: { skipsLocked: boolean }) => `
  found as materialized (
    select subscriptions.tenant_id as "tenantId", subscriptions.id as "subscriptionId", events, filter, payload, active, version, url,
           secret_sealed as "secretSealed", headers_sealed as "headersSealed",
           case when previous_secret_until > now() then previous_secret_sealed end as "previousSecretSealed",
           window_size as "windowSize", proven as "isProven", origin, ${CONSECUTIVE_FAILURES} as "consecutiveFailures",
           ${RESTRAINT}, ${IS_RECORDED_HEALTHY} as "isRecordedHealthy",
           coalesce((select replay_id is null and next_attempt_at <= now() from deliveries
                      where deliveries.tenant_id = subscriptions.tenant_id and deliveries.subscription_id = subscriptions.id
                        and queue_state = 'waiting' and status in ('pending', 'retrying')
                      order by ${IN_TURN} limit 1), false)
           or exists (select from reconciliations
                       where reconciliations.tenant_id = subscriptions.tenant_id
                         and reconciliations.subscription_id = subscriptions.id) as "hasWaiting",
           ${IS_SUCCESS_DUE} as "isSuccessDue"
      from unnest($match.tenant_ids::uuid[]) as tenant (id)
      join subscriptions on subscriptions.tenant_id = tenant.id and subscriptions.events && $match.types::text[]
      join endpoints on endpoints.tenant_id = subscriptions.tenant_id and endpoints.subscription_id = subscriptions.id
     order by subscriptions.tenant_id, subscriptions.id
       for share of subscriptions ${skipsLocked ? "skip locked" : ""}
  ), matched as (
    select *, sha256(convert_to(row(${STATE})::text, 'UTF8')) as stamp from found
  )`;

type Events = readonly ReceivedEvent[];

const tenantIdsOf = (events: Events) => [...new Set(events.map((event) => event.tenant_id))];
const typesOf = (events: Events) => [...new Set(events.map((event) => event.type))];

export const matchSubscriptions = namedStatement<Events>(
  `with ${matched({ skipsLocked: false })} select "tenantId", ${STATE}, "isSuccessDue", stamp from matched`,
  { match: { tenant_ids: tenantIdsOf, types: typesOf } },
);

interface KnownInsertion extends inserts.Insertion {
  readonly known: readonly MatchedSubscription[];
}

export interface InsertedIfUnchanged {
  readonly isUnchanged: boolean;
  /** Null in the only row if no event was inserted. */
  readonly tenantId: string | null;
  readonly id: string | null;
  readonly successDue: readonly string[];
}

const eventsOf = ({ events }: KnownInsertion) => events.map(({ event }) => event);

/**
 * Inserts events with their deliveries if they match exactly the known subscriptions, in the same states. A locked subscription
 * counts as changed: waiting for it would keep reserved attempts from others. Violates a constraint if an event exists already.
 */
export const insertIfUnchanged = namedStatement<KnownInsertion>(
  `
  with ${matched({ skipsLocked: true })}, unchanged as materialized (
    select coalesce(array_agg(stamp order by "tenantId", "subscriptionId"), '{}') = $known.stamps::bytea[] as holds from matched
  ), ${inserts.inserted({ condition: "(select holds from unchanged)", skipsExisting: false })}
  select holds as "isUnchanged", new_event.tenant_id as "tenantId", new_event.id,
         (select coalesce(array_agg("subscriptionId"), '{}') from matched where "isSuccessDue") as "successDue"
    from unchanged left join new_event on true`,
  {
    match: {
      tenant_ids: (insertion) => tenantIdsOf(eventsOf(insertion)),
      types: (insertion) => typesOf(eventsOf(insertion)),
    },
    known: { stamps: ({ known }) => known.map(({ stamp }) => stamp) },
    ...inserts.INSERTED_PARAMETERS,
  },
);

export interface PlannedDelivery {
  readonly id: string;
  readonly event: ReceivedEvent;
  readonly subscription: MatchedSubscription;
}

/** Plans in the order of `events`. `filtered` has, by event and subscription, the fields that did not match. */
export function planDeliveries(
  events: readonly ReceivedEvent[],
  subscriptions: readonly MatchedSubscription[],
) {
  const byTenant = Map.groupBy(subscriptions, ({ tenantId }) => tenantId);
  const filtered = new Map<ReceivedEvent, Record<string, FilterField[]>>();
  const deliveries = events.flatMap((event): PlannedDelivery[] => {
    const identity = { id: event.id, occurredAt: new Date(event.occurred_at) };
    const facets = facetsOf(event.data);
    return (byTenant.get(event.tenant_id) ?? []).flatMap((subscription) => {
      const { subscriptionId, events: types, filter } = subscription;
      if (!types.includes(event.type)) return [];
      const unmatched = unmatchedFields(filter, facets);
      if (unmatched.length === 0)
        return [{ id: ids.deliveryIdOf(identity, subscriptionId), event, subscription }];
      filtered.set(event, { ...filtered.get(event), [subscriptionId]: unmatched });
      return [];
    });
  });
  return { deliveries, filtered };
}
