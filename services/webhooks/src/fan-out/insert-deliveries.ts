// Inserts a batch of events with their deliveries in one transaction.
import type { Event } from "@tradepost/messaging";
import { inTransaction } from "@tradepost/postgres";
import { newId } from "@tradepost/runtime";
import { failPoint } from "@tradepost/runtime/fail-point";
import type { Pool, PoolClient } from "pg";
import { eventKey } from "../delivery/event-key.ts";
import type { Job } from "../delivery/job.ts";
import { admit, lockEndpoints } from "../endpoint/admit.ts";

export interface InsertedDeliveries {
  /** To publish: the admitted deliveries, which may include older ones of the same endpoints. */
  readonly jobs: Job[];
  /** By event id. An event that existed before is missing. */
  readonly deliveryCounts: ReadonlyMap<string, number>;
}

/**
 * Inserts one delivery for each matching subscription of each new event: it waits for admission, or is `paused`. For an
 * event that existed before it returns the jobs that a crash may have kept from being published.
 */
export async function insertDeliveries(pool: Pool, events: readonly Event[]): Promise<InsertedDeliveries> {
  const distinct = [...new Map(events.map((event) => [eventKey(event.tenant_id, event.id), event])).values()];
  return await inTransaction(pool, async (client) => {
    const matched = await matchSubscriptions(client, distinct);
    const byEvent = Map.groupBy(matched, ({ tenantId, eventId }) => eventKey(tenantId, eventId));
    const newKeys = await insertEvents(client, distinct, byEvent);
    failPoint("fan-out.events-inserted");
    const matches = matched.filter(({ tenantId, eventId }) => newKeys.has(eventKey(tenantId, eventId)));
    await insertMatches(client, matches);
    failPoint("fan-out.deliveries-inserted");
    const repeated = distinct.filter((event) => !newKeys.has(eventKey(event.tenant_id, event.id)));
    const unattempted = repeated.length === 0 ? [] : await findUnattempted(client, repeated);
    const endpoints = [...new Map(matches.map((match) => [match.subscriptionId, match])).values()];
    if (endpoints.length > 0) await lockEndpoints(client, endpoints);
    const admitted = await admit(client, endpoints, { probes: false });
    failPoint("fan-out.admitted");
    const byNewEvent = Map.groupBy(matches, ({ eventId }) => eventId);
    return {
      jobs: [...unattempted, ...admitted],
      deliveryCounts: new Map([...byNewEvent].map(([id, ofEvent]) => [id, ofEvent.length])),
    };
  });
}

interface Match {
  tenantId: string;
  eventId: string;
  type: string;
  subscriptionId: string;
  active: boolean;
}

async function matchSubscriptions(client: PoolClient, events: readonly Event[]): Promise<Match[]> {
  const { rows } = await client.query<Match>(MATCH, [
    events.map((event) => event.tenant_id),
    events.map((event) => event.id),
    events.map((event) => event.type),
  ]);
  return rows;
}

/** Returns the keys of the events that did not exist before. */
async function insertEvents(
  client: PoolClient,
  events: readonly Event[],
  matches: ReadonlyMap<string, readonly Match[]>,
): Promise<Set<string>> {
  const { rows } = await client.query<{ tenantId: string; id: string }>(INSERT_EVENTS, [
    events.map((event) => event.tenant_id),
    events.map((event) => event.id),
    events.map((event) => event.type),
    events.map((event) => event.occurred_at),
    events.map((event) => event.request_id),
    events.map((event) => JSON.stringify(event.data)),
    events.map((event) => matches.get(eventKey(event.tenant_id, event.id))?.length ?? 0),
  ]);
  return new Set(rows.map(({ tenantId, id }) => eventKey(tenantId, id)));
}

async function insertMatches(client: PoolClient, matches: readonly Match[]): Promise<void> {
  if (matches.length === 0) return;
  await client.query(INSERT_DELIVERIES, [
    matches.map((match) => match.tenantId),
    matches.map(() => newId()),
    matches.map((match) => match.eventId),
    matches.map((match) => match.type),
    matches.map((match) => match.subscriptionId),
    matches.map((match) => match.active),
  ]);
}

async function findUnattempted(client: PoolClient, events: readonly Event[]): Promise<Job[]> {
  const { rows } = await client.query<Job>(FIND_UNATTEMPTED, [
    events.map((event) => event.tenant_id),
    events.map((event) => event.id),
  ]);
  return rows;
}

// Because of the share lock a pause or a deletion either waits for this commit and finds these deliveries, or commits
// first, and this finds the subscription paused or deleted. Rows come in the order of the batch, because ids decide which
// delivery is oldest. Matching comes before the insert of the events, so that each event is written once, with the number
// of its matches.
const MATCH = `
  select event.tenant_id as "tenantId", event.id as "eventId", event.type,
         subscriptions.id as "subscriptionId", subscriptions.active
    from unnest($1::uuid[], $2::uuid[], $3::text[]) with ordinality as event (tenant_id, id, type, position)
    join subscriptions on subscriptions.tenant_id = event.tenant_id and event.type = any(subscriptions.events)
   order by subscriptions.tenant_id, subscriptions.id, event.position
     for share of subscriptions`;

const INSERT_EVENTS = `
  insert into events (tenant_id, id, type, occurred_at, request_id, data, matched)
  select * from unnest($1::uuid[], $2::uuid[], $3::text[], $4::timestamptz[], $5::text[], $6::json[], $7::smallint[])
  on conflict do nothing
  returning tenant_id as "tenantId", id`;

// The time is truncated to the column's milliseconds: rounded up, half of the deliveries would not be due yet and would
// wait for the next run of the admission loop.
const INSERT_DELIVERIES = `
  insert into deliveries (tenant_id, id, event_id, type, subscription_id, status, next_attempt_at, queue_state)
  select tenant_id, id, event_id, type, subscription_id,
         case when active then 'pending' else 'paused' end,
         case when active then date_trunc('milliseconds', now()) end,
         case when active then 'waiting' end
    from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::text[], $5::uuid[], $6::boolean[])
         as match (tenant_id, id, event_id, type, subscription_id, active)
  on conflict on constraint deliveries_once_for_each_pair do nothing`;

const FIND_UNATTEMPTED = `
  select tenant_id as "tenantId", id as "deliveryId", generation, 1 as attempt
    from deliveries
   where (tenant_id, event_id) in (select * from unnest($1::uuid[], $2::uuid[]))
     and status = 'pending' and queue_state = 'queued' and attempt_count = 0 and locked_until is null
   order by id`;
