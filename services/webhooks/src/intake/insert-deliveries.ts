// Inserts a batch of events with their deliveries.
import { randomInt } from "node:crypto";
import { arrayParametersOf, arraysOf, columnsOf, namedStatement, type RowColumns } from "@tradepost/postgres";
import { resourceOf } from "../delivery/delivery.ts";
import { facetsOf } from "../event-filter.ts";
import { isNotDeleted } from "../statement-parts.ts";
import { occurredAtOf, type ReceivedEvent } from "./received-event.ts";

interface Insertion {
  readonly events: readonly InsertedEvent[];
  readonly deliveries: readonly InsertedDelivery[];
  readonly lockMs: number;
}

interface InsertedEvent {
  readonly event: ReceivedEvent;
  readonly data: string | undefined;
  readonly matchCount: number;
  readonly filtered: object | undefined;
}

interface InsertedDelivery {
  readonly id: string;
  readonly event: ReceivedEvent;
  readonly subscription: { readonly subscriptionId: string };
  readonly state: "claimed" | "waiting" | "paused";
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

const deliveryColumns: RowColumns<InsertedDelivery> = {
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
export const insertDeliveries = namedStatement<Insertion>(
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
              from unnest(${arrayParametersOf("planned", deliveryColumns)}) as planned (${columnsOf(deliveryColumns)})) as planned
     where ((tenant_id, event_id) in (select tenant_id, id from new_event)) is true
    on conflict on constraint deliveries_once_for_each_pair do nothing
  )
  select tenant_id as "tenantId", id from new_event`,
  {
    event: arraysOf(eventColumns, ({ events }: Insertion) => events),
    planned: arraysOf(deliveryColumns, ({ deliveries }: Insertion) => deliveries),
    claim: { lock_ms: ({ lockMs }) => lockMs },
    counted: { part: () => PART },
  },
);
