// Limits the waiting deliveries of a tenant, by age and by number (interface §17). A delivery beyond a bound fails without another
// attempt and becomes a dead letter. Deliveries of a paused subscription do not count, even before they are reconciled.
import { inTransaction, toStatement } from "@tradepost/postgres";
import { type Logger, type Metrics, type Repetition, repeatOrWarn } from "@tradepost/runtime";
import { type RawBuilder, sql } from "kysely";
import type { Pool, PoolClient } from "pg";
import { noteFailedDeliveries } from "../notices/notices.ts";
import { mayWaitSince, TENANTS, WAITS, waitsSince } from "../statement-parts.ts";

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
  return repeatOrWarn(
    logger,
    "the bounds of what waits were not checked; retrying",
    lookEveryMs,
    async () => {
      let isFull = false;
      for (const [outcome, beyond] of [
        ["expired", expired(bounds)],
        ["overflow", overflow(bounds)],
      ] as const) {
        const count = await inTransaction(pool, (client) => giveUp(client, outcome, beyond));
        given.inc({ outcome }, count);
        if (count > 0) {
          logger.warn({ outcome, count }, "waiting deliveries have failed");
          onNotice();
        }
        isFull ||= count === BATCH_DELIVERIES;
      }
      return isFull ? 0 : lookEveryMs;
    },
  );
}

type Outcome = "expired" | "overflow";

async function giveUp(client: PoolClient, outcome: Outcome, beyond: RawBuilder<unknown>): Promise<number> {
  const { rows: locks } = await client.query<{ isMine: boolean }>(
    `select pg_try_advisory_xact_lock(${LOCK}) as "isMine"`,
  );
  if (locks[0]?.isMine !== true) return 0;
  const { rows } = await client.query<{ tenantId: string; subscriptionId: string; deliveryId: string }>(
    toStatement(failed(outcome, beyond)),
  );
  await noteFailedDeliveries(client, rows);
  return rows.length;
}

/** `beyond`: only tenants whose oldest delivery is old enough are examined further. */
function expired({ daysMax }: WaitingBounds) {
  const oldest = sql`now() - ${daysMax} * interval '1 day'`;
  return sql`
  with recursive ${sql.raw(TENANTS)}, endpoint as (
    select subscriptions.tenant_id, subscriptions.id
      from tenant
     cross join lateral (
       select from deliveries
        where deliveries.tenant_id = tenant.tenant_id and created_at < ${oldest}
        order by created_at, id
        limit 1) oldest
      join subscriptions on subscriptions.tenant_id = tenant.tenant_id and ${mayWaitSince(oldest)}
  ), beyond as (
    select oldest.tid
      from endpoint
     cross join lateral (
       select ctid as tid from deliveries
        where deliveries.tenant_id = endpoint.tenant_id and deliveries.subscription_id = endpoint.id
          and ${waitsSince(oldest)}
        order by created_at, id
        limit ${sql.lit(BATCH_DELIVERIES)}
          for update skip locked) oldest
     limit ${sql.lit(BATCH_DELIVERIES)}
  )`;
}

/** `beyond`: the oldest of the endpoint with the most waiting, as many as exceed the bound. What a replay made fails first. */
function overflow({ deliveriesMax }: WaitingBounds) {
  return sql`
  with recursive ${sql.raw(TENANTS)}, crowded as (
    select tenant.tenant_id, most.subscription_id, most.total - ${deliveriesMax} as excess
      from tenant
     cross join lateral (
       select subscription_id, sum(count(*)) over () as total
         from deliveries
         join subscriptions on subscriptions.tenant_id = deliveries.tenant_id and subscriptions.id = subscription_id and active
        where deliveries.tenant_id = tenant.tenant_id and ${sql.raw(WAITS)}
        group by subscription_id
        order by count(*) desc, subscription_id
        limit 1) most
     where most.total > ${deliveriesMax}
  ), beyond as (
    select oldest.tid
      from crowded
     cross join lateral (
       select ctid as tid from deliveries
        where deliveries.tenant_id = crowded.tenant_id and deliveries.subscription_id = crowded.subscription_id
          and ${sql.raw(WAITS)}
        order by replay_id is null, created_at, id
        limit least(crowded.excess, ${sql.lit(BATCH_DELIVERIES)})
          for update skip locked) oldest
     limit ${sql.lit(BATCH_DELIVERIES)}
  )`;
}

const failed = (outcome: Outcome, beyond: RawBuilder<unknown>) => sql`
  ${beyond}, closed as (
    delete from deliveries using beyond where deliveries.ctid = beyond.tid
    returning deliveries.*
  ), logged as (
    insert into delivery_log (tenant_id, id, subscription_id, event_id, type, status, attempt_count, generation,
                              created_at, completed_at, outcome, replay_id)
    select tenant_id, id, subscription_id, event_id, type, 'failed', attempt_count, generation, created_at, now(), ${outcome}, replay_id
      from closed
  ), dead as (
    insert into dead_letters (tenant_id, delivery_id, subscription_id, event_id, type, attempts, generation,
                              created_at, failed_at, reason)
    select tenant_id, id, subscription_id, event_id, type, attempt_count, generation, created_at, now(), ${outcome}
      from closed
  )
  select tenant_id as "tenantId", subscription_id as "subscriptionId", id as "deliveryId" from closed order by created_at, id`;
