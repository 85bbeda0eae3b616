// Inserts a batch of events with their deliveries in one transaction of two round trips.

import { readThenWrite } from "@tradepost/postgres";
import { failPoint } from "@tradepost/runtime/fail-point";
import type { Pool } from "pg";
import { eventKey, isNotDeleted } from "../delivery/delivery.ts";
import type { ClaimedDelivery, EndpointState, Scheduler, StartedDelivery } from "../sending/sending.ts";
import { type MatchedSubscription, matchSubscriptions } from "./match-subscriptions.ts";
import { type Plan, type PlannedDelivery, planDeliveries } from "./plan-deliveries.ts";
import { type ReceivedEvent, resourceIdOf } from "./received-event.ts";

export interface InsertedDeliveries {
  /** To attempt now. */
  readonly started: StartedDelivery[];
  /** The endpoints of deliveries that wait in Postgres. */
  readonly waiting: EndpointState[];
  /** The ids of listeners with deliveries to lease. */
  readonly listenerIds: string[];
  /** The number of new deliveries of each event, by `eventKey`. An event that existed before is missing. */
  readonly deliveryCounts: ReadonlyMap<string, number>;
}

/**
 * Inserts one delivery for each matching subscription of each new event: claimed for this process, waiting, or `paused`. An
 * event that existed before gets none: if the process that inserted it has died, its claims expire and the sweep finds them.
 */
export async function insertDeliveries(
  pool: Pool,
  scheduler: Pick<Scheduler, "reserve" | "start" | "cancel">,
  events: readonly ReceivedEvent[],
  lockMs: number,
): Promise<InsertedDeliveries> {
  const distinct = [...new Map(events.map((event) => [keyOf(event), event])).values()];
  const data = new Map(distinct.map((event) => [event, JSON.stringify(event.data)]));
  let plan: Plan = { deliveries: [], reservations: [] };
  let newKeys: Set<string>;
  try {
    const rows = await readThenWrite<MatchedSubscription, { tenantId: string; id: string }>(
      pool,
      matchSubscriptions(distinct),
      (subscriptions) => {
        failPoint("fan-out.matched");
        plan = planDeliveries(distinct, subscriptions, scheduler);
        return insertStatement(distinct, data, plan.deliveries, lockMs);
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
  const counts = Map.groupBy(inserted, ({ event }) => keyOf(event));
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
    deliveryCounts: new Map([...newKeys].map((key) => [key, counts.get(key)?.length ?? 0])),
  };
}

function keyOf(event: ReceivedEvent): string {
  return eventKey(event.tenant_id, event.id);
}

function claimedDelivery({ id, event, subscription }: PlannedDelivery, data: string): ClaimedDelivery {
  if (subscription.url === null) throw new Error("a delivery of a listener was claimed");
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
    isRecordedHealthy: subscription.isRecordedHealthy,
    isFromBeforeResume: false,
  };
}

/** Truncated to milliseconds here: Postgres would round, and a retry would show another time than the first attempt. */
function occurredAtOf(event: ReceivedEvent): string {
  return new Date(event.occurred_at).toISOString();
}

function insertStatement(
  events: readonly ReceivedEvent[],
  data: ReadonlyMap<ReceivedEvent, string>,
  planned: readonly PlannedDelivery[],
  lockMs: number,
) {
  const matchCounts = Map.groupBy(planned, ({ event }) => event);
  return {
    text: INSERT,
    values: [
      events.map((event) => event.tenant_id),
      events.map((event) => event.id),
      events.map((event) => event.type),
      events.map((event) => occurredAtOf(event)),
      events.map((event) => event.request_id),
      events.map((event) => data.get(event)),
      events.map((event) => matchCounts.get(event)?.length ?? 0),
      events.map((event) => resourceIdOf(event.data)),
      planned.map(({ event }) => event.tenant_id),
      planned.map(({ id }) => id),
      planned.map(({ event }) => event.id),
      planned.map(({ event }) => event.type),
      planned.map(({ subscription }) => subscription.subscriptionId),
      planned.map(({ state }) => state),
      lockMs,
      events.map((event) => event.traceparent),
    ],
  };
}

// An event is written once, with the number of its matches. A time is truncated to the column's milliseconds: rounded up, half
// of the deliveries that wait would not be due yet. `place` is the old name of `queue_state`; writing both spares a trigger.
// An event of a tenant that has been deleted is dropped. `is true` keeps the planner from joining each delivery with each event.
const INSERT = `
  with new_event as (
    insert into events (tenant_id, id, type, occurred_at, request_id, data, matched, resource_id, traceparent)
    select *
      from unnest($1::uuid[], $2::uuid[], $3::text[], $4::timestamptz[], $5::text[], $6::json[], $7::smallint[], $8::uuid[],
                  $16::text[]) as event (tenant_id)
     where ${isNotDeleted("event.tenant_id")}
    on conflict do nothing
    returning tenant_id, id
  ), new_delivery as (
    insert into deliveries (tenant_id, id, event_id, type, subscription_id, status, next_attempt_at, queue_state, place,
                            enqueued_at, locked_until)
    select tenant_id, id, event_id, type, subscription_id,
           case state when 'paused' then 'paused' else 'pending' end,
           case when state <> 'paused' then date_trunc('milliseconds', now()) end,
           queue_state, queue_state,
           case when state = 'claimed' then now() end,
           case when state = 'claimed' then now() + $15 * interval '1 ms' end
      from (select *, case state when 'claimed' then 'queued' when 'waiting' then 'waiting' end as queue_state
              from unnest($9::uuid[], $10::uuid[], $11::uuid[], $12::text[], $13::uuid[], $14::text[])
                   as planned (tenant_id, id, event_id, type, subscription_id, state)) as planned
     where ((tenant_id, event_id) in (select tenant_id, id from new_event)) is true
    on conflict on constraint deliveries_once_for_each_pair do nothing
  )
  select tenant_id as "tenantId", id from new_event`;
