// The transaction of settle: the subscriptions' health, the deliveries' new state and the attempts, for a whole batch.
import { inTransaction } from "@tradepost/postgres";
import { failPoint } from "@tradepost/runtime/fail-point";
import type { Pool, PoolClient } from "pg";
import type { Job } from "../delivery/job.ts";
import { resizeWindows } from "../endpoint/resize-windows.ts";
import { healthAfter } from "../subscription/health.ts";
import { applyTransitions, type MadeAttempt, type SettledDelivery } from "./apply-transitions.ts";
import { logAttempts } from "./log-attempts.ts";

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
    failPoint("settle.health-updated");
    const settled = await applyTransitions(client, made);
    failPoint("settle.recorded");
    await logAttempts(client, made);
    failPoint("settle.logged");
    const admitted = await resizeWindows(
      client,
      made.map(({ delivery, attempt }) => ({ ...delivery, ...attempt })),
    );
    failPoint("settle.admitted");
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
