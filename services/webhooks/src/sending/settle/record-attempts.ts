// The transaction of settle for everything but successes at healthy endpoints: it updates the subscriptions' health and the
// deliveries, logs the attempts and stores the endpoints' standings, for a whole batch.
import { inTransaction, type Statement } from "@tradepost/postgres";
import { failPoint } from "@tradepost/runtime/fail-point";
import type { Pool, PoolClient } from "pg";
import { type HealthChange, healthChanges, storeStandings } from "../../subscriptions/subscriptions.ts";
import type { EndpointState } from "../scheduler/endpoint-record.ts";
import { applyTransitions, type MadeAttempt, type SettledDelivery } from "./apply-transitions.ts";
import { insertAttempts, insertBodies, type ResponseBodies } from "./attempt-log.ts";

/**
 * Returns the settled deliveries by their id. A delivery that another process has settled is missing. Locks subscriptions
 * first, then deliveries, then endpoints, as every transaction does.
 *
 * `logged` says which requests the log gets: all that were made, or those that settled their delivery.
 */
export async function recordAttempts(
  pool: Pool,
  bodies: ResponseBodies,
  made: readonly MadeAttempt[],
  standings: readonly EndpointState[],
  logged: "all" | "settled" = "all",
): Promise<ReadonlyMap<string, SettledDelivery>> {
  const missing = bodies.missing(made);
  const settled = await inTransaction(pool, async (client) => {
    await updateHealth(client, made);
    failPoint("settle.health-updated");
    const transitions = await applyTransitions(client, made);
    failPoint("settle.recorded");
    if (missing.length > 0) await run(client, insertBodies(missing));
    const counted = made.filter(({ delivery }) => transitions.has(delivery.deliveryId));
    await run(client, insertAttempts(logged === "all" ? made : counted));
    failPoint("settle.logged");
    if (standings.length > 0) await run(client, storeStandings(standings));
    failPoint("settle.standings-stored");
    return transitions;
  });
  bodies.remember(missing);
  return settled;
}

function run(client: PoolClient, { text, values = [] }: Statement) {
  return client.query(text, [...values]);
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
  const { rows } = await client.query<{ id: string }>(LOCK_CHANGED, valuesOf(changes));
  // A row that is not locked here needs no change. Waiting for it later could deadlock.
  const locked = new Set(rows.map(({ id }) => id));
  const changed = changes.filter(({ subscriptionId }) => locked.has(subscriptionId));
  if (changed.length === 0) return;
  await client.query(UPDATE_HEALTH, [
    ...valuesOf(changed),
    changed.map(({ hasSucceeded }) => hasSucceeded),
    changed.map(({ trailingFailures }) => trailingFailures),
    changed.map(({ lastError }) => lastError),
  ]);
}

function valuesOf(changes: readonly HealthChange[]): unknown[] {
  return [
    changes.map(({ tenantId }) => tenantId),
    changes.map(({ subscriptionId }) => subscriptionId),
    changes.map(({ lastSuccessAt }) => lastSuccessAt),
    changes.map(({ lastFailureAt }) => lastFailureAt),
  ];
}

// A success that changes only `last_success_at` is written at most once a second. Rows are locked in the order in which fan-out
// and other batches of attempts lock them: another order would deadlock. A separate statement, so that the next one sees each
// row as it is after the lock.
const LOCK_CHANGED = `
  select change.id
    from (select * from unnest($1::uuid[], $2::uuid[], $3::timestamptz[], $4::timestamptz[])
             as change (tenant_id, id, last_success_at, last_failure_at)
           order by tenant_id, id) as change
   cross join lateral (
     select from subscriptions
      where subscriptions.tenant_id = change.tenant_id and subscriptions.id = change.id
        and (change.last_failure_at is not null or consecutive_failures > 0
             or subscriptions.last_success_at is null
             or subscriptions.last_success_at < change.last_success_at - interval '1 second')
      limit 1
        for no key update
   ) subscription`;

// Locked rows keep their place in the table (`record-successes.ts`).
const UPDATE_HEALTH = `
  with change as (
    select subscription.tid, change.*
      from unnest($1::uuid[], $2::uuid[], $3::timestamptz[], $4::timestamptz[], $5::boolean[], $6::integer[], $7::text[])
           as change (tenant_id, id, last_success_at, last_failure_at, succeeded, failures, last_error)
     cross join lateral (
       select ctid as tid from subscriptions
        where subscriptions.tenant_id = change.tenant_id and subscriptions.id = change.id
        limit 1
     ) subscription
  )
  update subscriptions
     set consecutive_failures = case when change.succeeded then 0 else consecutive_failures end + change.failures,
         last_success_at = coalesce(change.last_success_at, subscriptions.last_success_at),
         last_failure_at = coalesce(change.last_failure_at, subscriptions.last_failure_at),
         last_error = coalesce(change.last_error, subscriptions.last_error)
    from change
   where subscriptions.ctid = change.tid`;
