// Inserts a batch of events with their deliveries in one transaction of two round trips.
import { randomInt } from "node:crypto";
import { type Columns, columnsOf, namedStatement, readThenWrite } from "@tradepost/postgres";
import { failPoint } from "@tradepost/runtime/fail-point";
import type { Pool } from "pg";
import { eventKey, isNotDeleted, resourceOf } from "../delivery/delivery.ts";
import { facetsOf } from "../event-filter.ts";
import type { ClaimedDelivery, EndpointState, Scheduler, StartedDelivery } from "../sending/sending.ts";
import { type MatchedSubscription, matchSubscriptions } from "./match-subscriptions.ts";
import { type Plan, type PlannedDelivery, planDeliveries } from "./plan-deliveries.ts";
import type { ReceivedEvent } from "./received-event.ts";

export interface InsertedDeliveries {
  /** The deliveries to attempt now. */
  readonly started: StartedDelivery[];
  /** The endpoints whose new deliveries wait in Postgres. */
  readonly waiting: EndpointState[];
  /** The ids of listeners with deliveries to lease. */
  readonly listenerIds: string[];
  /** The number of new deliveries of each event, by `eventKey`. Events that existed before are missing. */
  readonly deliveryCounts: ReadonlyMap<string, number>;
}

/**
 * Inserts one delivery for each matching subscription of each new event: claimed for this process, waiting, or `paused`. An event
 * that existed before gets no deliveries: if the process that inserted it has died, its claims expire and the sweep finds them.
 */
export async function insertDeliveries(
  pool: Pool,
  scheduler: Pick<Scheduler, "reserve" | "start" | "cancel">,
  events: readonly ReceivedEvent[],
  lockMs: number,
): Promise<InsertedDeliveries> {
  const distinct = [...new Map(events.map((event) => [keyOf(event), event])).values()];
  const data = new Map(distinct.map((event) => [event, JSON.stringify(event.data)]));
  let plan: Plan = { deliveries: [], reservations: [], filtered: new Map() };
  let newKeys: Set<string>;
  try {
    const rows = await readThenWrite<MatchedSubscription, { tenantId: string; id: string }>(
      pool,
      matchSubscriptions(distinct),
      (subscriptions) => {
        failPoint("fan-out.matched");
        plan = planDeliveries(distinct, subscriptions, scheduler);
        return insertStatement({
          ...{ events: distinct, data, planned: plan.deliveries, filtered: plan.filtered, lockMs },
          matchCounts: countBy(plan.deliveries, ({ event }) => event),
        });
      },
    );
    newKeys = new Set(rows.map(({ tenantId, id }) => eventKey(tenantId, id)));
  } catch (error) {
    for (const { reservation } of plan.reservations) scheduler.cancel(reservation);
    throw error;
  }
  const inserted = plan.deliveries.filter(({ event }) => newKeys.has(keyOf(event)));
  const claimed = Map.groupBy(
    inserted.filter(({ state }) => state === "claimed"),
    ({ subscription }) => subscription,
  );
  const waiting = [
    ...new Set(inserted.filter(({ state }) => state === "waiting").map(({ subscription }) => subscription)),
  ];
  const counts = countBy(inserted, ({ event }) => keyOf(event));
  return {
    started: plan.reservations.flatMap(({ subscription, reservation }) => {
      const ofOne = claimed.get(subscription) ?? [];
      return scheduler.start(reservation, ofOne.length).flatMap((slot, index) => {
        const one = ofOne[index];
        return one === undefined
          ? []
          : [{ delivery: claimedDelivery(one, data.get(one.event) ?? "null"), slot }];
      });
    }),
    waiting: waiting.filter(({ url }) => url !== null),
    listenerIds: waiting.filter(({ url }) => url === null).map(({ subscriptionId }) => subscriptionId),
    deliveryCounts: new Map([...newKeys].map((key) => [key, counts.get(key) ?? 0])),
  };
}

function keyOf(event: ReceivedEvent): string {
  return eventKey(event.tenant_id, event.id);
}

function countBy<Item, Key>(items: readonly Item[], keyOf: (item: Item) => Key): Map<Key, number> {
  const counts = new Map<Key, number>();
  for (const item of items) {
    const key = keyOf(item);
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return counts;
}

function claimedDelivery({ id, event, subscription }: PlannedDelivery, data: string): ClaimedDelivery {
  if (subscription.url === null) throw new Error("a delivery of a listener was claimed");
  const resource = resourceOf(event.data);
  return {
    tenantId: event.tenant_id,
    deliveryId: id,
    generation: 1,
    attempt: 1,
    subscriptionId: subscription.subscriptionId,
    eventId: event.id,
    occurredAt: occurredAtOf(event),
    requestId: event.request_id,
    traceparent: event.traceparent,
    type: event.type,
    subscriptionVersion: subscription.version,
    url: subscription.url,
    secretSealed: subscription.secretSealed,
    previousSecretSealed: subscription.previousSecretSealed,
    headersSealed: subscription.headersSealed,
    data,
    resourceId: resource.id,
    resourceVersion: resource.version,
    replayId: null,
    isRecordedHealthy: subscription.isRecordedHealthy,
    waitedMs: 0,
    heldBy: "no",
  };
}

/** Truncates the time to milliseconds: Postgres would round it, and a retry would show a different time from the first attempt. */
function occurredAtOf(event: ReceivedEvent): string {
  return new Date(event.occurred_at).toISOString();
}

interface Insertion {
  readonly events: readonly ReceivedEvent[];
  /** The data of each event as JSON text. */
  readonly data: ReadonlyMap<ReceivedEvent, string>;
  readonly planned: readonly PlannedDelivery[];
  readonly filtered: Plan["filtered"];
  readonly matchCounts: ReadonlyMap<ReceivedEvent, number>;
  readonly lockMs: number;
}

const eventColumns: Columns<Insertion> = {
  tenant_id: ({ events }) => events.map((event) => event.tenant_id),
  id: ({ events }) => events.map((event) => event.id),
  type: ({ events }) => events.map((event) => event.type),
  occurred_at: ({ events }) => events.map((event) => occurredAtOf(event)),
  request_id: ({ events }) => events.map((event) => event.request_id),
  data: ({ events, data }) => events.map((event) => data.get(event)),
  matched: ({ events, matchCounts }) => events.map((event) => matchCounts.get(event) ?? 0),
  resource_id: ({ events }) => events.map((event) => resourceOf(event.data).id),
  traceparent: ({ events }) => events.map((event) => event.traceparent),
  resource_version: ({ events }) => events.map((event) => resourceOf(event.data).version),
  filtered: ({ events, filtered }) =>
    events.map((event) => filtered.get(event)).map((one) => (one === undefined ? null : JSON.stringify(one))),
  facets: ({ events }) => events.map((event) => JSON.stringify(facetsOf(event.data))),
};

const plannedColumns: Columns<Insertion> = {
  tenant_id: ({ planned }) => planned.map(({ event }) => event.tenant_id),
  id: ({ planned }) => planned.map(({ id }) => id),
  event_id: ({ planned }) => planned.map(({ event }) => event.id),
  type: ({ planned }) => planned.map(({ event }) => event.type),
  subscription_id: ({ planned }) => planned.map(({ subscription }) => subscription.subscriptionId),
  state: ({ planned }) => planned.map(({ state }) => state),
};

// Two processes seldom have the same part, so they seldom wait for each other's count of a tenant.
const PART = randomInt(16);

// Events are written once, with the number of their matches. Times are truncated to the column's milliseconds: if they were rounded
// up, half of the waiting deliveries would not be due yet. `place` is the old name of `queue_state`; writing both saves a trigger.
// Events of a deleted tenant are dropped. `is true` keeps the planner from joining each delivery with each event.
const insertStatement = namedStatement<Insertion>(
  `
  with new_event as (
    insert into events (${columnsOf(eventColumns)})
    select *
      from unnest($event.tenant_id::uuid[], $event.id::uuid[], $event.type::text[], $event.occurred_at::timestamptz[],
                  $event.request_id::text[], $event.data::json[], $event.matched::smallint[], $event.resource_id::uuid[],
                  $event.traceparent::text[], $event.resource_version::integer[], $event.filtered::jsonb[], $event.facets::json[])
             as event (tenant_id)
     where ${isNotDeleted("event.tenant_id")}
    on conflict do nothing
    returning tenant_id, id, (occurred_at at time zone 'utc')::date as day, octet_length(data::text) as bytes
  ), counted as (
    insert into received_bytes as counted (tenant_id, day, part, bytes)
    select tenant_id, day, $counted.part::smallint, sum(bytes) from new_event group by tenant_id, day order by tenant_id, day
    on conflict (tenant_id, day, part) do update set bytes = counted.bytes + excluded.bytes
  ), new_delivery as (
    insert into deliveries (tenant_id, id, event_id, type, subscription_id, status, next_attempt_at, queue_state,
                            enqueued_at, locked_until)
    select tenant_id, id, event_id, type, subscription_id,
           case state when 'paused' then 'paused' else 'pending' end,
           case when state <> 'paused' then date_trunc('milliseconds', now()) end,
           queue_state,
           case when state = 'claimed' then now() end,
           case when state = 'claimed' then now() + $claim.lock_ms * interval '1 ms' end
      from (select *, case state when 'claimed' then 'queued' when 'waiting' then 'waiting' end as queue_state
              from unnest($planned.tenant_id::uuid[], $planned.id::uuid[], $planned.event_id::uuid[], $planned.type::text[],
                          $planned.subscription_id::uuid[], $planned.state::text[])
                   as planned (${columnsOf(plannedColumns)})) as planned
     where ((tenant_id, event_id) in (select tenant_id, id from new_event)) is true
    on conflict on constraint deliveries_once_for_each_pair do nothing
  )
  select tenant_id as "tenantId", id from new_event`,
  {
    ...{ event: eventColumns, planned: plannedColumns },
    ...{ claim: { lock_ms: ({ lockMs }) => lockMs }, counted: { part: () => PART } },
  },
);
