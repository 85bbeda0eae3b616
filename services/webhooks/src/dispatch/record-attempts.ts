// The transaction of settle: the subscriptions' health, the deliveries' new state and the attempts, for a whole batch.
import { inTransaction } from "@tradepost/postgres";
import type { Pool, PoolClient } from "pg";
import type { DeliveryStatus, Verdict } from "../delivery/delivery.ts";
import type { Job } from "../delivery/job.ts";
import { resizeWindows } from "../endpoint/resize-windows.ts";
import { healthAfter } from "../subscription/health.ts";
import type { Attempt } from "./send.ts";
import type { TakenDelivery } from "./take.ts";

export interface MadeAttempt {
  readonly delivery: TakenDelivery;
  readonly attempt: Attempt;
  readonly verdict: Verdict;
}

export interface SettledDelivery {
  readonly status: DeliveryStatus;
  readonly at: Date;
}

export interface Recorded {
  /** By delivery id, the state each came to. One that is missing was settled by another: the guard is the attempt. */
  readonly settled: ReadonlyMap<string, SettledDelivery>;
  /** What the windows of the attempts' endpoints now have room for. */
  readonly admitted: readonly Job[];
}

/** Rows are locked subscriptions first, then deliveries, then endpoints, as everywhere. */
export async function recordAttempts(pool: Pool, made: readonly MadeAttempt[]): Promise<Recorded> {
  return await inTransaction(pool, async (client) => {
    await updateHealth(client, made);
    const settled = await updateDeliveries(client, made);
    await insertAttempts(client, made);
    const admitted = await resizeWindows(
      client,
      made.map(({ delivery, attempt }) => ({ ...delivery, ...attempt })),
    );
    return { settled, admitted };
  });
}

// A success that changes nothing but the time is written at most once a second. Locked in the order in which fan-out
// locks them, and every other batch of attempts: in any other, they would wait for each other.
const UPDATE_HEALTH = `
  with news as (
    select news.*
      from unnest($1::uuid[], $2::uuid[], $3::boolean[], $4::integer[], $5::timestamptz[], $6::timestamptz[], $7::text[])
           as news (tenant_id, id, succeeded, failures, last_success_at, last_failure_at, last_error)
      join subscriptions on subscriptions.tenant_id = news.tenant_id and subscriptions.id = news.id
     where news.last_failure_at is not null or consecutive_failures > 0
        or subscriptions.last_success_at is null
        or subscriptions.last_success_at < news.last_success_at - interval '1 second'
     order by subscriptions.tenant_id, subscriptions.id
       for no key update of subscriptions
  )
  update subscriptions
     set consecutive_failures = case when news.succeeded then 0 else consecutive_failures end + news.failures,
         last_success_at = coalesce(news.last_success_at, subscriptions.last_success_at),
         last_failure_at = coalesce(news.last_failure_at, subscriptions.last_failure_at),
         last_error = coalesce(news.last_error, subscriptions.last_error)
    from news
   where subscriptions.tenant_id = news.tenant_id and subscriptions.id = news.id`;

async function updateHealth(client: PoolClient, made: readonly MadeAttempt[]): Promise<void> {
  const news = healthAfter(
    made.map(({ delivery, attempt }) => ({
      tenantId: delivery.tenantId,
      subscriptionId: delivery.subscriptionId,
      at: attempt.at,
      outcome: attempt.outcome,
      statusCode: attempt.statusCode,
    })),
  );
  await client.query(UPDATE_HEALTH, [
    news.map((one) => one.tenantId),
    news.map((one) => one.subscriptionId),
    news.map((one) => one.hasSucceeded),
    news.map((one) => one.failuresSince),
    news.map((one) => one.lastSuccessAt),
    news.map((one) => one.lastFailureAt),
    news.map((one) => one.lastError),
  ]);
}

// What failed together does not come back together: the message returns when the wait is over, and the delivery then
// waits its jitter here. Never shorter than the wait, and never so long that a receiver would wonder.
const JITTER_SHARE_MAX = 0.1;
const JITTER_MAX_MS = 1_000;

// A delivery that was paused or cancelled while its request was under way stays so, unless it arrived or this was its
// last attempt; a cancelled one stays cancelled unless it arrived.
const UPDATE_DELIVERIES = `
  with settled as (
    select deliveries.tenant_id, deliveries.id, job.attempt, job.wait_ms,
           case when job.verdict = 'delivered' then 'delivered'
                when deliveries.status = 'cancelled' then 'cancelled'
                when job.verdict = 'failed' then 'failed'
                when deliveries.status = 'paused' then 'paused'
                else 'retrying' end as status
      from unnest($1::uuid[], $2::uuid[], $3::integer[], $4::integer[], $5::text[], $6::integer[])
           as job (tenant_id, id, generation, attempt, verdict, wait_ms)
      join deliveries on deliveries.tenant_id = job.tenant_id and deliveries.id = job.id
                     and deliveries.generation = job.generation and deliveries.attempt_count = job.attempt - 1
     order by deliveries.tenant_id, deliveries.id
       for update of deliveries
  )
  update deliveries
     set status = settled.status,
         attempt_count = settled.attempt,
         locked_until = null,
         place = case when settled.status = 'retrying' then 'delayed' end,
         next_attempt_at = case when settled.status = 'retrying' then now() + interval '1 ms' *
           (settled.wait_ms + random() * least(settled.wait_ms * ${JITTER_SHARE_MAX}, ${JITTER_MAX_MS})) end,
         enqueued_at = case when settled.status = 'retrying' then now() end,
         completed_at = case when settled.status in ('delivered', 'failed') then now() else deliveries.completed_at end,
         dead_since = case when settled.status = 'failed' then now() end
    from settled
   where deliveries.tenant_id = settled.tenant_id and deliveries.id = settled.id
  returning deliveries.id, deliveries.status, now() as at`;

async function updateDeliveries(
  client: PoolClient,
  made: readonly MadeAttempt[],
): Promise<Map<string, SettledDelivery>> {
  const { rows } = await client.query<SettledDelivery & { id: string }>(UPDATE_DELIVERIES, [
    made.map(({ delivery }) => delivery.tenantId),
    made.map(({ delivery }) => delivery.deliveryId),
    made.map(({ delivery }) => delivery.generation),
    made.map(({ delivery }) => delivery.attempt),
    made.map(({ verdict }) => verdict.status),
    made.map(({ verdict }) => (verdict.status === "retrying" ? verdict.waitMs : null)),
  ]);
  return new Map(rows.map((row) => [row.id, row]));
}

// The log tells of every request that was made, even one that another settled first.
const INSERT_ATTEMPTS = `
  insert into attempts (tenant_id, delivery_id, generation, attempt, at, duration_ms, outcome, status_code, response_body)
  select * from unnest($1::uuid[], $2::uuid[], $3::integer[], $4::smallint[], $5::timestamptz[], $6::integer[],
                       $7::text[], $8::smallint[], $9::text[])
  on conflict do nothing`;

async function insertAttempts(client: PoolClient, made: readonly MadeAttempt[]): Promise<void> {
  await client.query(INSERT_ATTEMPTS, [
    made.map(({ delivery }) => delivery.tenantId),
    made.map(({ delivery }) => delivery.deliveryId),
    made.map(({ delivery }) => delivery.generation),
    made.map(({ delivery }) => delivery.attempt),
    made.map(({ attempt }) => attempt.at),
    made.map(({ attempt }) => attempt.durationMs),
    made.map(({ attempt }) => attempt.outcome),
    made.map(({ attempt }) => attempt.statusCode),
    made.map(({ attempt }) => attempt.responseBody),
  ]);
}
