// Inserts a batch of events with their deliveries in one transaction of two round trips.
import { randomInt } from "node:crypto";
import {
  arrayParametersOf,
  arraysOf,
  columnsOf,
  namedStatement,
  type RowColumns,
  readThenWrite,
} from "@tradepost/postgres";
import { failPoint } from "@tradepost/runtime/fail-point";
import type { Pool } from "pg";
import { eventKey, resourceOf } from "../delivery/delivery.ts";
import { facetsOf } from "../event-filter.ts";
import type { ClaimedDelivery, EndpointState, Scheduler, StartedDelivery } from "../sending/sending.ts";
import { isNotDeleted } from "../statement-parts.ts";
import { type MatchedSubscription, matchSubscriptions } from "./match-subscriptions.ts";
import { type Plan, type PlannedDelivery, planDeliveries } from "./plan-deliveries.ts";
import type { ReceivedEvent } from "./received-event.ts";

export interface InsertedDeliveries {
  readonly started: StartedDelivery[];
  /** The endpoints whose new deliveries wait in Postgres. */
  readonly waiting: EndpointState[];
  /** The ids of listeners with deliveries to lease. */
  readonly listenerIds: string[];
  /** By `eventKey`. Events that existed before are missing. */
  readonly deliveryCounts: ReadonlyMap<string, number>;
}

/**
 * An event that existed before gets no deliveries: if the process that inserted it has died, its claims expire and the sweep finds
 * them.
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
        const matchCounts = countBy(plan.deliveries, ({ event }) => event);
        const inserted = distinct.map((event) => ({
          ...{ event, data: data.get(event), filtered: plan.filtered.get(event) },
          matchCount: matchCounts.get(event) ?? 0,
        }));
        return insertStatement({ events: inserted, planned: plan.deliveries, lockMs });
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
  readonly events: readonly InsertedEvent[];
  readonly planned: readonly PlannedDelivery[];
  readonly lockMs: number;
}

interface InsertedEvent {
  readonly event: ReceivedEvent;
  readonly data: string | undefined;
  readonly matchCount: number;
  readonly filtered: object | undefined;
}

const eventColumns: RowColumns<InsertedEvent> = {
  tenant_id: ["uuid", ({ event }) => event.tenant_id],
  id: ["uuid", ({ event }) => event.id],
  type: ["text", ({ event }) => event.type],
  occurred_at: ["timestamptz", ({ event }) => occurredAtOf(event)],
  request_id: ["text", ({ event }) => event.request_id],
  data: ["json", ({ data }) => data],
  matched: ["smallint", ({ matchCount }) => matchCount],
  resource_id: ["uuid", ({ event }) => resourceOf(event.data).id],
  traceparent: ["text", ({ event }) => event.traceparent],
  resource_version: ["integer", ({ event }) => resourceOf(event.data).version],
  filtered: ["jsonb", ({ filtered }) => (filtered === undefined ? null : JSON.stringify(filtered))],
  facets: ["json", ({ event }) => JSON.stringify(facetsOf(event.data))],
};

const plannedColumns: RowColumns<PlannedDelivery> = {
  tenant_id: ["uuid", ({ event }) => event.tenant_id],
  id: ["uuid", ({ id }) => id],
  event_id: ["uuid", ({ event }) => event.id],
  type: ["text", ({ event }) => event.type],
  subscription_id: ["uuid", ({ subscription }) => subscription.subscriptionId],
  state: ["text", ({ state }) => state],
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
      from unnest(${arrayParametersOf("event", eventColumns)}) as event (tenant_id)
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
              from unnest(${arrayParametersOf("planned", plannedColumns)}) as planned (${columnsOf(plannedColumns)})) as planned
     where ((tenant_id, event_id) in (select tenant_id, id from new_event)) is true
    on conflict on constraint deliveries_once_for_each_pair do nothing
  )
  select tenant_id as "tenantId", id from new_event`,
  {
    event: arraysOf(eventColumns, ({ events }: Insertion) => events),
    planned: arraysOf(plannedColumns, ({ planned }: Insertion) => planned),
    claim: { lock_ms: ({ lockMs }) => lockMs },
    counted: { part: () => PART },
  },
);
