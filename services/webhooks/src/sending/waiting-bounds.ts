// Limits the waiting deliveries of a tenant, by age and by number (interface §17). A delivery beyond a bound fails without another
// attempt: it is in the log and becomes a dead letter, so it can be sent again while its event is kept. Deliveries of a paused
// subscription do not count, even before they are reconciled.
import { inTransaction } from "@tradepost/postgres";
import { type Logger, type Metrics, type Repetition, repeat } from "@tradepost/runtime";
import type { Pool, PoolClient } from "pg";
import { mayWaitSince, TENANTS, WAITS, waitsSince } from "../delivery/delivery.ts";
import { noteFailedDeliveries } from "../notices/notices.ts";

export interface WaitingBounds {
  readonly daysMax: number;
  readonly deliveriesMax: number;
}

const LOOK_EVERY_MS = 60_000;
const BATCH_DELIVERIES = 500;
// An arbitrary number that nothing else in this database locks.
const LOCK = 712_017_001;

/** Only one replica at a time checks. */
export function startWaitingBounds(options: {
  pool: Pool;
  bounds: WaitingBounds;
  lookEveryMs?: number | undefined;
  onNotice: () => void;
  metrics: Metrics;
  logger: Logger;
}): Pick<Repetition, "stop"> {
  const { pool, bounds, lookEveryMs = LOOK_EVERY_MS, onNotice, logger } = options;
  const given = options.metrics.counter(
    "webhooks_given_up_total",
    "Deliveries that waited beyond a bound and failed.",
    ["outcome"],
  );
  for (const outcome of ["expired", "overflow"]) given.inc({ outcome }, 0);
  return repeat(async () => {
    try {
      let isFull = false;
      for (const [outcome, find] of [
        ["expired", findExpired(bounds)],
        ["overflow", findOverflow(bounds)],
      ] as const) {
        const count = await inTransaction(pool, (client) => giveUp(client, outcome, find));
        given.inc({ outcome }, count);
        if (count > 0) {
          logger.warn({ outcome, count }, "waiting deliveries have failed");
          onNotice();
        }
        isFull ||= count === BATCH_DELIVERIES;
      }
      return isFull ? 0 : lookEveryMs;
    } catch (error) {
      logger.warn({ err: error }, "the bounds of what waits were not checked; retrying");
      return lookEveryMs;
    }
  });
}

interface Find {
  readonly text: string;
  readonly values: readonly unknown[];
}

async function giveUp(client: PoolClient, outcome: "expired" | "overflow", find: Find): Promise<number> {
  const { rows: locks } = await client.query<{ isMine: boolean }>(
    `select pg_try_advisory_xact_lock(${LOCK}) as "isMine"`,
  );
  if (locks[0]?.isMine !== true) return 0;
  const { rows } = await client.query<{ tenantId: string; subscriptionId: string; deliveryId: string }>(
    `${find.text}${GIVE_UP}`,
    [outcome, ...find.values],
  );
  await noteFailedDeliveries(client, rows);
  return rows.length;
}

// Only tenants whose oldest delivery is old enough are examined further.
function findExpired({ daysMax }: WaitingBounds): Find {
  return {
    text: `
  with recursive ${TENANTS}, endpoint as (
    select subscriptions.tenant_id, subscriptions.id
      from tenant
     cross join lateral (
       select from deliveries
        where deliveries.tenant_id = tenant.tenant_id and created_at < now() - $2 * interval '1 day'
        order by created_at, id
        limit 1) oldest
      join subscriptions on subscriptions.tenant_id = tenant.tenant_id
                        and ${mayWaitSince("now() - $2 * interval '1 day'")}
  ), beyond as (
    select oldest.tid
      from endpoint
     cross join lateral (
       select ctid as tid from deliveries
        where deliveries.tenant_id = endpoint.tenant_id and deliveries.subscription_id = endpoint.id
          and ${waitsSince("now() - $2 * interval '1 day'")}
        order by created_at, id
        limit ${BATCH_DELIVERIES}
          for update skip locked) oldest
     limit ${BATCH_DELIVERIES}
  )`,
    values: [daysMax],
  };
}

// Finds the oldest deliveries of the endpoint with the most waiting, as many as exceed the bound. What a replay made fails first.
function findOverflow({ deliveriesMax }: WaitingBounds): Find {
  return {
    text: `
  with recursive ${TENANTS}, crowded as (
    select tenant.tenant_id, most.subscription_id, most.total - $2 as excess
      from tenant
     cross join lateral (
       select subscription_id, sum(count(*)) over () as total
         from deliveries
         join subscriptions on subscriptions.tenant_id = deliveries.tenant_id and subscriptions.id = subscription_id and active
        where deliveries.tenant_id = tenant.tenant_id and ${WAITS}
        group by subscription_id
        order by count(*) desc, subscription_id
        limit 1) most
     where most.total > $2
  ), beyond as (
    select oldest.tid
      from crowded
     cross join lateral (
       select ctid as tid from deliveries
        where deliveries.tenant_id = crowded.tenant_id and deliveries.subscription_id = crowded.subscription_id and ${WAITS}
        order by replay_id is null, created_at, id
        limit least(crowded.excess, ${BATCH_DELIVERIES})
          for update skip locked) oldest
     limit ${BATCH_DELIVERIES}
  )`,
    values: [deliveriesMax],
  };
}

const GIVE_UP = `, closed as (
    delete from deliveries using beyond where deliveries.ctid = beyond.tid
    returning deliveries.*
  ), logged as (
    insert into delivery_log (tenant_id, id, subscription_id, event_id, type, status, attempt_count, generation,
                              created_at, completed_at, outcome, replay_id)
    select tenant_id, id, subscription_id, event_id, type, 'failed', attempt_count, generation, created_at, now(), $1, replay_id
      from closed
  ), dead as (
    insert into dead_letters (tenant_id, delivery_id, subscription_id, event_id, type, attempts, generation,
                              created_at, failed_at, reason)
    select tenant_id, id, subscription_id, event_id, type, attempt_count, generation, created_at, now(), $1
      from closed
  )
  select tenant_id as "tenantId", subscription_id as "subscriptionId", id as "deliveryId" from closed order by created_at, id`;
