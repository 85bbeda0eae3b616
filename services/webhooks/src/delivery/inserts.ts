// Inserts the deliveries of new events, with their events if these come from the platform.
import { randomInt } from "node:crypto";
import type { Event } from "@tradepost/messaging";
import { arrayParametersOf, arraysOf, columnsOf, namedStatement, type RowColumns } from "@tradepost/postgres";
import { sql } from "kysely";
import { facetsOf } from "../event-filter.ts";
import { isNotDeleted } from "../statement-parts.ts";
import type { Payload, Tenant } from "../tables.ts";
import { resourceOf, subjectOf, subjectWordsOf } from "./resource.ts";

export async function one(
  { db, tenantId }: Tenant,
  delivery: {
    id: string;
    subscriptionId: string;
    eventId: string;
    type: string;
    isPaused: boolean;
    isThin: boolean;
  },
): Promise<void> {
  await db
    .insertInto("deliveries")
    .values({
      tenant_id: tenantId,
      id: delivery.id,
      subscription_id: delivery.subscriptionId,
      event_id: delivery.eventId,
      type: delivery.type,
      is_thin: delivery.isThin || null,
      ...(delivery.isPaused
        ? { status: "paused", next_attempt_at: null, queue_state: null }
        : { status: "pending", next_attempt_at: sql<Date>`now()`, queue_state: "waiting" }),
      enqueued_at: null,
    })
    .execute();
}

/** Creates a delivery for each event of a replay. Returns how many events had no delivery before. */
export async function replayed(
  tx: Tenant,
  subscriptionId: string,
  replayId: string,
  events: readonly { readonly deliveryId: string; readonly eventId: string; readonly type: string }[],
): Promise<number> {
  if (events.length === 0) return 0;
  const { rows } = await sql<{ count: number }>`
    with inserted as (
      insert into deliveries (tenant_id, id, subscription_id, event_id, type, status, next_attempt_at, queue_state, replay_id,
                              is_thin)
      select ${tx.tenantId}, made.id, subscriptions.id, made.event_id, made.type, case when active then 'pending' else 'paused' end,
             case when active then now() end, case when active then 'waiting' end, ${replayId}, nullif(payload = 'thin', false)
        from unnest(${events.map(({ deliveryId }) => deliveryId)}::uuid[], ${events.map(({ eventId }) => eventId)}::uuid[],
                    ${events.map(({ type }) => type)}::text[]) as made (id, event_id, type)
        join subscriptions on subscriptions.tenant_id = ${tx.tenantId} and subscriptions.id = ${subscriptionId}
      on conflict on constraint deliveries_once_for_each_pair do nothing
      returning event_id
    ), counted as (
      update events set matched = matched + 1
       where tenant_id = ${tx.tenantId} and id = any(${events.map(({ eventId }) => eventId)}::uuid[])
         and id in (select event_id from inserted)
    )
    select count(*)::integer as count from inserted`.execute(tx.db);
  return rows[0]?.count ?? 0;
}

type NewEvent = Event & { readonly traceparent: string | null };

export interface Insertion {
  readonly events: readonly InsertedEvent[];
  readonly deliveries: readonly InsertedDelivery[];
  readonly lockMs: number;
}

interface InsertedEvent {
  readonly event: NewEvent;
  readonly occurredAt: string;
  readonly data: string | undefined;
  readonly matchCount: number;
  readonly filtered: object | undefined;
}

interface InsertedDelivery {
  readonly id: string;
  readonly event: NewEvent;
  readonly subscription: { readonly subscriptionId: string; readonly payload: Payload };
  readonly state: "claimed" | "waiting" | "paused";
}

const eventColumns: RowColumns<InsertedEvent> = {
  tenant_id: ["uuid", ({ event }) => event.tenant_id],
  id: ["uuid", ({ event }) => event.id],
  type: ["text", ({ event }) => event.type],
  occurred_at: ["timestamptz", ({ occurredAt }) => occurredAt],
  request_id: ["text", ({ event }) => event.request_id],
  data: ["json", ({ data }) => data],
  matched: ["smallint", ({ matchCount }) => matchCount],
  resource_id: ["uuid", ({ event }) => resourceOf(event.data).id],
  traceparent: ["text", ({ event }) => event.traceparent],
  resource_version: ["integer", ({ event }) => resourceOf(event.data).version],
  filtered: ["jsonb", ({ filtered }) => (filtered === undefined ? null : JSON.stringify(filtered))],
  facets: ["json", ({ event }) => JSON.stringify(facetsOf(event.data))],
  subject: ["text", ({ event }) => subjectOf(event.data)],
  subject_words: ["text", ({ event }) => subjectWordsOf(subjectOf(event.data))],
};

const deliveryColumns: RowColumns<InsertedDelivery> = {
  tenant_id: ["uuid", ({ event }) => event.tenant_id],
  id: ["uuid", ({ id }) => id],
  event_id: ["uuid", ({ event }) => event.id],
  type: ["text", ({ event }) => event.type],
  subscription_id: ["uuid", ({ subscription }) => subscription.subscriptionId],
  state: ["text", ({ state }) => state],
  is_thin: ["boolean", ({ subscription }) => subscription.payload === "thin" || null],
};

// Several parts let processes count a tenant's events without waiting for each other.
const PART = randomInt(16);

// Times are truncated to the column's milliseconds: rounded up, half of the waiting deliveries would not be due yet. Events of a
// deleted tenant are dropped. `is true` keeps the planner from joining each delivery with each event.
/**
 * Common table expressions that insert events with their deliveries where `condition` holds. `new_event` has the new events. Without
 * `skipsExisting`, which makes Postgres log each row once more, an existing event violates a constraint.
 */
export const inserted = ({ condition = "true", skipsExisting = true } = {}) => `
  new_event as (
    insert into events (${columnsOf(eventColumns)})
    select *
      from unnest(${arrayParametersOf("event", eventColumns)}) as event (tenant_id)
     where ${condition} and ${isNotDeleted("event.tenant_id")}
    ${skipsExisting ? "on conflict do nothing" : ""}
    returning tenant_id, id, (occurred_at at time zone 'utc')::date as day, octet_length(data::text) as bytes
  ), counted as (
    insert into received_bytes as counted (tenant_id, day, part, bytes)
    select tenant_id, day, $counted.part::smallint, sum(bytes) from new_event group by tenant_id, day order by tenant_id, day
    on conflict (tenant_id, day, part) do update set bytes = counted.bytes + excluded.bytes
  ), new_delivery as (
    insert into deliveries (tenant_id, id, event_id, type, subscription_id, status, next_attempt_at, queue_state,
                            enqueued_at, locked_until, is_thin)
    select tenant_id, id, event_id, type, subscription_id,
           case state when 'paused' then 'paused' else 'pending' end,
           case when state <> 'paused' then date_trunc('milliseconds', now()) end,
           queue_state,
           case when state = 'claimed' then now() end,
           case when state = 'claimed' then now() + $claim.lock_ms * interval '1 ms' end, is_thin
      from (select *, case state when 'claimed' then 'queued' when 'waiting' then 'waiting' end as queue_state
              from unnest(${arrayParametersOf("planned", deliveryColumns)}) as planned (${columnsOf(deliveryColumns)})) as planned
     where ((tenant_id, event_id) in (select tenant_id, id from new_event)) is true
    ${skipsExisting ? "on conflict on constraint deliveries_once_for_each_pair do nothing" : ""}
  )`;

export const INSERTED_PARAMETERS = {
  event: arraysOf(eventColumns, ({ events }: Insertion) => events),
  planned: arraysOf(deliveryColumns, ({ deliveries }: Insertion) => deliveries),
  claim: { lock_ms: ({ lockMs }: Insertion) => lockMs },
  counted: { part: () => PART },
};

export const fannedOut = namedStatement<Insertion>(
  `with ${inserted()} select tenant_id as "tenantId", id from new_event`,
  INSERTED_PARAMETERS,
);
