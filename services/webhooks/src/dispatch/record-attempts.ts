// The transaction of settle: it updates the subscriptions' health and the deliveries, logs the attempts and resizes the
// windows, for a whole batch.
import { inTransaction } from "@tradepost/postgres";
import { failPoint } from "@tradepost/runtime/fail-point";
import type { Pool, PoolClient } from "pg";
import type { Job } from "../delivery/job.ts";
import { resizeWindows } from "../endpoint/resize-windows.ts";
import { healthChanges } from "../subscription/health.ts";
import { applyTransitions, type MadeAttempt, type SettledDelivery } from "./apply-transitions.ts";
import { logAttempts } from "./log-attempts.ts";

export interface Recorded {
  /** By delivery id. A delivery that another process has settled is missing. */
  readonly settled: ReadonlyMap<string, SettledDelivery>;
  /** To publish after the commit: deliveries that the resized windows admit. */
  readonly admitted: readonly Job[];
}

/** Locks subscriptions first, then deliveries, then endpoints, as every transaction does. */
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

async function updateHealth(client: PoolClient, made: readonly MadeAttempt[]): Promise<void> {
  const changes = healthChanges(
    made.map(({ delivery, attempt }) => ({
      tenantId: delivery.tenantId,
      subscriptionId: delivery.subscriptionId,
      at: attempt.at,
      outcome: attempt.outcome,
      statusCode: attempt.statusCode,
    })),
  );
  await client.query(UPDATE_HEALTH, [
    changes.map((change) => change.tenantId),
    changes.map((change) => change.subscriptionId),
    changes.map((change) => change.hasSucceeded),
    changes.map((change) => change.trailingFailures),
    changes.map((change) => change.lastSuccessAt),
    changes.map((change) => change.lastFailureAt),
    changes.map((change) => change.lastError),
  ]);
}

// A success that changes only `last_success_at` is written at most once a second. Rows are locked in the order in which fan-out
// and other batches of attempts lock them: another order would deadlock.
const UPDATE_HEALTH = `
  with change as (
    select change.*
      from unnest($1::uuid[], $2::uuid[], $3::boolean[], $4::integer[], $5::timestamptz[], $6::timestamptz[], $7::text[])
           as change (tenant_id, id, succeeded, failures, last_success_at, last_failure_at, last_error)
      join subscriptions on subscriptions.tenant_id = change.tenant_id and subscriptions.id = change.id
     where change.last_failure_at is not null or consecutive_failures > 0
        or subscriptions.last_success_at is null
        or subscriptions.last_success_at < change.last_success_at - interval '1 second'
     order by subscriptions.tenant_id, subscriptions.id
       for no key update of subscriptions
  )
  update subscriptions
     set consecutive_failures = case when change.succeeded then 0 else consecutive_failures end + change.failures,
         last_success_at = coalesce(change.last_success_at, subscriptions.last_success_at),
         last_failure_at = coalesce(change.last_failure_at, subscriptions.last_failure_at),
         last_error = coalesce(change.last_error, subscriptions.last_error)
    from change
   where subscriptions.tenant_id = change.tenant_id and subscriptions.id = change.id`;
