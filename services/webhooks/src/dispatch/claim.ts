// Claims a delivery for one attempt: finds it, checks that the job is not stale, and locks it for the longest time that an
// attempt can take, so that two copies of one message cause one request.
import { batch } from "@tradepost/runtime";
import { failPoint } from "@tradepost/runtime/fail-point";
import type { Pool } from "pg";
import { eventKey } from "../delivery/event-key.ts";
import type { Job } from "../delivery/job.ts";

export interface ClaimedDelivery extends Job {
  readonly subscriptionId: string;
  readonly eventId: string;
  readonly requestId: string;
  readonly type: string;
  readonly url: string;
  readonly secretSealed: Buffer;
  /** The secret before a rotation, during its overlap. */
  readonly previousSecretSealed: Buffer | null;
  /** The event's data as JSON text, byte for byte as it was received. */
  readonly data: string;
}

export type Claim = (job: Job) => Promise<ClaimedDelivery | null>;

// The time that an attempt may take in addition to its timeout: before the request, and for settling.
const LOCK_MARGIN_MS = 5_000;
const BATCH_JOBS_MAX = 200;
// If a row is locked for longer, the next batch starts without waiting for it.
const MAX_WAIT_MS = 25;

type ClaimedRow = Omit<ClaimedDelivery, "requestId" | "data">;

interface EventToSend {
  readonly tenantId: string;
  readonly id: string;
  readonly requestId: string;
  readonly data: string;
}

/** Jobs that arrive together are claimed in one statement. The function returned resolves with null for a stale job. */
export function startClaim(pool: Pool, timeoutMs: number): Claim {
  return batch<Job, ClaimedDelivery | null>({
    itemsMax: BATCH_JOBS_MAX,
    maxWaitMs: MAX_WAIT_MS,
    work: async (jobs) => {
      const { rows } = await pool.query<ClaimedRow & { isSendable: boolean }>(CLAIM, [
        jobs.map((job) => job.tenantId),
        jobs.map((job) => job.deliveryId),
        jobs.map((job) => job.generation),
        jobs.map((job) => job.attempt),
        timeoutMs + LOCK_MARGIN_MS,
      ]);
      failPoint("claim.locked");
      const deliveries = rows
        .filter(({ isSendable }) => isSendable)
        .map(({ isSendable: _, ...delivery }) => delivery);
      const events = await findEvents(pool, deliveries);
      const claimed = new Map(
        deliveries.map((delivery) => [delivery.deliveryId, withEvent(delivery, events)]),
      );
      return jobs.map(({ deliveryId }) => {
        const delivery = claimed.get(deliveryId) ?? null;
        // Of two copies of a job in one batch only the first gets the delivery.
        claimed.delete(deliveryId);
        return delivery;
      });
    },
  });
}

async function findEvents(
  pool: Pool,
  deliveries: readonly { tenantId: string; eventId: string }[],
): Promise<Map<string, EventToSend>> {
  if (deliveries.length === 0) return new Map();
  const { rows } = await pool.query<EventToSend>(FIND_EVENTS, [
    [...new Set(deliveries.map(({ tenantId }) => tenantId))],
    [...new Set(deliveries.map(({ eventId }) => eventId))],
  ]);
  return new Map(rows.map((event) => [eventKey(event.tenantId, event.id), event]));
}

function withEvent(delivery: ClaimedRow, events: ReadonlyMap<string, EventToSend>): ClaimedDelivery | Error {
  const event = events.get(eventKey(delivery.tenantId, delivery.eventId));
  // Cannot happen while the foreign keys' rules hold. The rest of the batch is sent.
  if (event === undefined) return new Error(`delivery ${delivery.deliveryId} has no event`);
  return { ...delivery, requestId: event.requestId, data: event.data };
}

// Rows are locked in the order of their ids, as everywhere: another order would deadlock with a pause of the same
// deliveries. If the subscription is paused or deleted and the delivery is not reconciled yet, it waits again: this message
// is used up, and the subscription may be resumed before its reconciliation reaches the delivery.
const CLAIM = `
  with job as (
    select deliveries.tenant_id, deliveries.id, coalesce(subscriptions.active, false) as is_sendable, url, secret_sealed,
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
     set locked_until = case when is_sendable then now() + $5 * interval '1 ms' end,
         queue_state = case when is_sendable then 'queued' else 'waiting' end
    from job
   where deliveries.tenant_id = job.tenant_id and deliveries.id = job.id
  returning is_sendable as "isSendable", deliveries.tenant_id as "tenantId", deliveries.id as "deliveryId",
            deliveries.generation, deliveries.attempt_count + 1 as attempt,
            deliveries.subscription_id as "subscriptionId", deliveries.event_id as "eventId", deliveries.type, url,
            secret_sealed as "secretSealed", previous_secret_sealed as "previousSecretSealed"`;

// A separate statement, with the ids as values: the planner then reads only the partitions of their days, and an event with
// many deliveries is read once.
const FIND_EVENTS = `
  select tenant_id as "tenantId", id, request_id as "requestId", data::text as data
    from events
   where tenant_id = any($1::uuid[]) and id = any($2::uuid[])`;
