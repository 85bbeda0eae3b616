// Brings the deliveries of a batch of attempts to what the attempts made of them: on to the retry queue of their wait, or
// out of the deliveries into the log, and among the dead letters where they failed for good.
import type { PoolClient } from "pg";
import { type DeliveryStatus, reasonOf, transitions, type Verdict } from "../delivery/delivery.ts";
import type { ClaimedDelivery } from "./claim.ts";
import type { Attempt } from "./send.ts";

export interface MadeAttempt {
  readonly delivery: ClaimedDelivery;
  readonly attempt: Attempt;
  readonly verdict: Verdict;
}

export interface SettledDelivery {
  readonly status: DeliveryStatus;
  readonly at: Date;
}

// What failed together does not come back together: the message returns when the wait is over, and the delivery then
// waits its jitter here. Never shorter than the wait, and never so long that a receiver would wonder.
const JITTER_SHARE_MAX = 0.1;
const JITTER_MAX_MS = 1_000;

// Of one attempt that was made twice, because its maker was taken for dead, the first counts.
const VERDICTS = `
  verdict as (
    select distinct on (tenant_id, id, generation, attempt) *
      from unnest($1::uuid[], $2::uuid[], $3::integer[], $4::integer[], $5::text[], $6::integer[], $7::text[])
           with ordinality as verdict (tenant_id, id, generation, attempt, happening, wait_ms, reason, position)
     order by tenant_id, id, generation, attempt, position
  ), life as (
    select * from unnest($8::text[], $9::text[], $10::text[]) as life (happening, before, after)
  )`;

// What it becomes is told from its status once it is locked: by then it may be paused, and a condition on the status
// that it had before would pass it over. Where its subscription was paused, resumed or deleted and it is not in line yet,
// it counts as what it will be. The subscriptions of failed attempts are locked before this statement begins, so theirs
// cannot change until it has ended; what arrived, arrived, whatever they are.
const RECORD_OPEN = `
  with ${VERDICTS}, locked as (
    select deliveries.*, attempt, happening, wait_ms, reason,
           case when subscriptions.id is null then 'cancelled'
                when not active then 'paused'
                when status = 'paused' then 'retrying'
                else status end as before
      from verdict
      join deliveries on deliveries.tenant_id = verdict.tenant_id and deliveries.id = verdict.id
                     and deliveries.generation = verdict.generation
                     and deliveries.attempt_count = verdict.attempt - 1
      left join subscriptions on subscriptions.tenant_id = deliveries.tenant_id
                             and subscriptions.id = deliveries.subscription_id
     order by deliveries.tenant_id, deliveries.id
       for update of deliveries
  ), settled as (
    select locked.*, after
      from locked join life on life.happening = locked.happening and life.before = locked.before
  ), kept as (
    update deliveries
       set status = after,
           attempt_count = attempt,
           locked_until = null,
           queue_state = case when after = 'retrying' then 'delayed' end,
           next_attempt_at = case when after = 'retrying' then now() + interval '1 ms' *
             (wait_ms + random() * least(wait_ms * ${JITTER_SHARE_MAX}, ${JITTER_MAX_MS})) end,
           enqueued_at = case when after = 'retrying' then now() end
      from settled
     where deliveries.tenant_id = settled.tenant_id and deliveries.id = settled.id and after in ('retrying', 'paused')
  ), over as (
    delete from deliveries
     using settled
     where deliveries.tenant_id = settled.tenant_id and deliveries.id = settled.id
       and after not in ('retrying', 'paused')
  ), logged as (
    insert into delivery_log (tenant_id, id, subscription_id, event_id, type, status, attempt_count, generation,
                              created_at, completed_at)
    select tenant_id, id, subscription_id, event_id, type, after, attempt, generation, created_at, now()
      from settled
     where after not in ('retrying', 'paused')
  ), dead as (
    insert into dead_letters (tenant_id, delivery_id, subscription_id, event_id, type, attempts, generation,
                              created_at, failed_at, reason)
    select tenant_id, id, subscription_id, event_id, type, attempt, generation, created_at, now(), reason
      from settled
     where after = 'failed'
  )
  select id, after as status, now() as at from settled`;

// Deleted while its request was under way.
const RECORD_CANCELLED = `
  with ${VERDICTS}
  update delivery_log
     set status = after, attempt_count = attempt, completed_at = now()
    from verdict join life using (happening)
   where delivery_log.tenant_id = verdict.tenant_id and delivery_log.id = verdict.id
     and delivery_log.generation = verdict.generation and delivery_log.attempt_count = verdict.attempt - 1
     and delivery_log.status = 'cancelled' and life.before = 'cancelled'
  returning delivery_log.id, delivery_log.status, delivery_log.completed_at as at`;

/** Out: by delivery id, what it came to. One that is missing was settled by another: the guard is the attempt. */
export async function applyTransitions(
  client: PoolClient,
  made: readonly MadeAttempt[],
): Promise<Map<string, SettledDelivery>> {
  const open = await record(client, RECORD_OPEN, made);
  const missing = made.filter(({ delivery }) => !open.has(delivery.deliveryId));
  const cancelled = missing.length > 0 ? await record(client, RECORD_CANCELLED, missing) : [];
  return new Map([...open, ...cancelled]);
}

async function record(
  client: PoolClient,
  statement: string,
  made: readonly MadeAttempt[],
): Promise<Map<string, SettledDelivery>> {
  const life = transitions("arrived", "attempt failed", "last attempt failed");
  const { rows } = await client.query<SettledDelivery & { id: string }>(statement, [
    made.map(({ delivery }) => delivery.tenantId),
    made.map(({ delivery }) => delivery.deliveryId),
    made.map(({ delivery }) => delivery.generation),
    made.map(({ delivery }) => delivery.attempt),
    made.map(({ verdict }) => verdict.happening),
    made.map(({ verdict }) => (verdict.happening === "attempt failed" ? verdict.wait.ms : null)),
    made.map(({ attempt }) => reasonOf(attempt)),
    life.happening,
    life.before,
    life.after,
  ]);
  return new Map(rows.map((row) => [row.id, row]));
}
