// Takes a delivery into hand for one attempt: finds it, checks that the job is not stale, and locks it for as long as
// an attempt can last, so that two copies of one message make one request.
import { batch } from "@tradepost/runtime";
import { failPoint } from "@tradepost/runtime/fail-point";
import type { Pool } from "pg";
import type { Job } from "../delivery/job.ts";

export interface ClaimedDelivery extends Job {
  readonly subscriptionId: string;
  readonly eventId: string;
  readonly requestId: string;
  readonly type: string;
  readonly url: string;
  readonly secretSealed: Buffer;
  /** Of the secret that was replaced, while the overlap lasts. */
  readonly previousSecretSealed: Buffer | null;
  /** The event's data as JSON text, byte for byte as it came. */
  readonly data: string;
}

export type Claim = (job: Job) => Promise<ClaimedDelivery | null>;

// What an attempt may last beyond its timeout: the way there and the settling.
const LOCK_MARGIN_MS = 5_000;
const BATCH_JOBS_MAX = 200;
// Where a row is locked for longer, the jobs after it do not wait for it.
const MAX_WAIT_MS = 25;

// Locked in the order of their ids, as everywhere: a pause of the same deliveries would otherwise wait for this while
// this waits for the pause. Where the subscription is paused or gone and the delivery is not in line with it yet, it goes
// back to where it waits: its message is of no more use, and the subscription may be resumed before its turn comes.
const CLAIM = `
  with job as (
    select deliveries.tenant_id, deliveries.id, coalesce(subscriptions.active, false) as may_go, url, secret_sealed,
           case when previous_secret_until > now() then previous_secret_sealed end as previous_secret_sealed
      from unnest($1::uuid[], $2::uuid[], $3::integer[], $4::integer[]) as job (tenant_id, id, generation, attempt)
      join deliveries on deliveries.tenant_id = job.tenant_id and deliveries.id = job.id
                     and deliveries.generation = job.generation and deliveries.attempt_count = job.attempt - 1
      left join subscriptions on subscriptions.tenant_id = deliveries.tenant_id
                             and subscriptions.id = deliveries.subscription_id
     where deliveries.status in ('pending', 'retrying') and deliveries.queue_state = 'queued'
       and (deliveries.locked_until is null or deliveries.locked_until < now())
     order by deliveries.tenant_id, deliveries.id
       for no key update of deliveries
  )
  update deliveries
     set locked_until = case when may_go then now() + $5 * interval '1 ms' end,
         queue_state = case when may_go then 'queued' else 'waiting' end
    from job
   where deliveries.tenant_id = job.tenant_id and deliveries.id = job.id
  returning may_go as "mayGo", deliveries.tenant_id as "tenantId", deliveries.id as "deliveryId", deliveries.generation,
            deliveries.attempt_count + 1 as attempt, deliveries.subscription_id as "subscriptionId",
            deliveries.event_id as "eventId", deliveries.type, url, secret_sealed as "secretSealed",
            previous_secret_sealed as "previousSecretSealed"`;

// A statement of its own, with the ids as values: only the days in which they are have to be looked at, and an event
// that goes to many is read once.
const FIND_EVENTS = `
  select tenant_id as "tenantId", id, request_id as "requestId", data::text as data
    from events
   where tenant_id = any($1::uuid[]) and id = any($2::uuid[])`;

type ClaimedRow = Omit<ClaimedDelivery, "requestId" | "data">;

interface EventSent {
  readonly tenantId: string;
  readonly id: string;
  readonly requestId: string;
  readonly data: string;
}

/** Jobs that arrive together are taken in one statement. Out: the delivery, or null for a job that is stale. */
export function startClaim(pool: Pool, timeoutMs: number): Claim {
  return batch<Job, ClaimedDelivery | null>({
    itemsMax: BATCH_JOBS_MAX,
    maxWaitMs: MAX_WAIT_MS,
    work: async (jobs) => {
      const { rows } = await pool.query<ClaimedRow & { mayGo: boolean }>(CLAIM, [
        jobs.map((job) => job.tenantId),
        jobs.map((job) => job.deliveryId),
        jobs.map((job) => job.generation),
        jobs.map((job) => job.attempt),
        timeoutMs + LOCK_MARGIN_MS,
      ]);
      failPoint("claim.locked");
      const deliveries = rows.filter(({ mayGo }) => mayGo).map(({ mayGo: _, ...delivery }) => delivery);
      const events = await findEvents(pool, deliveries);
      const taken = new Map(deliveries.map((delivery) => [delivery.deliveryId, withEvent(delivery, events)]));
      return jobs.map(({ deliveryId }) => {
        const delivery = taken.get(deliveryId) ?? null;
        // Of two copies in one batch only the first has it.
        taken.delete(deliveryId);
        return delivery;
      });
    },
  });
}

async function findEvents(
  pool: Pool,
  deliveries: readonly { tenantId: string; eventId: string }[],
): Promise<Map<string, EventSent>> {
  if (deliveries.length === 0) return new Map();
  const { rows } = await pool.query<EventSent>(FIND_EVENTS, [
    [...new Set(deliveries.map(({ tenantId }) => tenantId))],
    [...new Set(deliveries.map(({ eventId }) => eventId))],
  ]);
  return new Map(rows.map((event) => [keyOf(event.tenantId, event.id), event]));
}

function withEvent(delivery: ClaimedRow, events: ReadonlyMap<string, EventSent>): ClaimedDelivery | Error {
  const event = events.get(keyOf(delivery.tenantId, delivery.eventId));
  // Never so; but then the others of its batch are sent.
  if (event === undefined) return new Error(`the event of delivery ${delivery.deliveryId} is gone`);
  return { ...delivery, requestId: event.requestId, data: event.data };
}

/** Two tenants may know an event by the same id: ids come from whoever emits them. */
function keyOf(tenantId: string, eventId: string): string {
  return `${tenantId}.${eventId}`;
}
