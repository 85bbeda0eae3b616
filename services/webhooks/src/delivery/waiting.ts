// Makes waiting deliveries due now, or fails those beyond a bound (interface §17).
import { NO_ID } from "@tradepost/http";
import { toStatement } from "@tradepost/postgres";
import { sql } from "kysely";
import type { PoolClient } from "pg";
import { mayWaitSince, TENANTS, WAITS, waitsSince } from "../statement-parts.ts";
import type { Tenant } from "../tables.ts";

const BATCH_DELIVERIES = 5_000;

/** The time is text, because it has more digits than a Date. */
export interface Place {
  readonly createdAt: string;
  readonly id: string;
}

const FIRST: Place = { createdAt: "-infinity", id: NO_ID };

/** Makes the next batch due, oldest first. Returns the position that it reached, or null after the last. Resets no attempts. */
export async function makeDue(tx: Tenant, id: string, after: Place = FIRST): Promise<Place | null> {
  const next = sql`
      select ctid as tid, created_at, id from deliveries
       where tenant_id = ${tx.tenantId} and subscription_id = ${id} and status in ('pending', 'retrying')
         and next_attempt_at > now() and (locked_until is null or locked_until < now())
         and (created_at, id) > (${after.createdAt}::timestamptz, ${after.id}::uuid)
       order by created_at, id
       limit ${BATCH_DELIVERIES}`;
  // Waits for transactions that change these deliveries. A separate statement, so that the next one sees each row after the lock.
  await sql`
    select from (select id from (${next}) next order by id) as next
     cross join lateral (
       select from deliveries where deliveries.tenant_id = ${tx.tenantId} and deliveries.id = next.id limit 1
          for no key update
     ) delivery`.execute(tx.db);
  const { rows } = await sql<Place & { count: number }>`
    with waiting as (
      ${next}
         for no key update skip locked
    ), due as (
      update deliveries set queue_state = 'waiting', next_attempt_at = now(), locked_until = null
        from waiting
       where deliveries.ctid = waiting.tid
    )
    select created_at::text as "createdAt", id, (select count(*)::integer from waiting) as count
      from waiting
     order by created_at desc, id desc
     limit 1`.execute(tx.db);
  return rows[0]?.count === BATCH_DELIVERIES ? rows[0] : null;
}

export interface Bounds {
  readonly daysMax: number;
  readonly deliveriesMax: number;
}

/** Fails deliveries that have waited for more than `daysMax`, or the oldest of each tenant with more than `deliveriesMax`. */
export async function giveUp(
  client: PoolClient,
  outcome: "expired" | "overflow",
  { daysMax, deliveriesMax }: Bounds,
  limit: number,
) {
  const beyond = outcome === "expired" ? expired(daysMax, limit) : overflow(deliveriesMax, limit);
  const { rows } = await client.query<Record<"tenantId" | "subscriptionId" | "deliveryId", string>>(
    toStatement(sql`
      ${beyond}, closed as (
        delete from deliveries using beyond where deliveries.ctid = beyond.tid
        returning deliveries.*
      ), logged as (
        insert into delivery_log (tenant_id, id, subscription_id, event_id, type, status, attempt_count, generation,
                                  created_at, completed_at, outcome, replay_id)
        select tenant_id, id, subscription_id, event_id, type, 'failed', attempt_count, generation, created_at, now(),
               ${outcome}, replay_id
          from closed
      ), dead as (
        insert into dead_letters (tenant_id, delivery_id, subscription_id, event_id, type, attempts, generation,
                                  created_at, failed_at, reason)
        select tenant_id, id, subscription_id, event_id, type, attempt_count, generation, created_at, now(), ${outcome}
          from closed
      )
      select tenant_id as "tenantId", subscription_id as "subscriptionId", id as "deliveryId"
        from closed
       order by created_at, id`),
  );
  return rows;
}

/** Selects `beyond`. Examines only tenants whose oldest delivery is old enough. */
function expired(daysMax: number, limit: number) {
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
        limit ${sql.lit(limit)}
          for update skip locked) oldest
     limit ${sql.lit(limit)}
  )`;
}

/** Selects `beyond`: as many as exceed the bound, of the endpoint with the most waiting deliveries, replays first, then the oldest. */
function overflow(deliveriesMax: number, limit: number) {
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
        limit least(crowded.excess, ${sql.lit(limit)})
          for update skip locked) oldest
     limit ${sql.lit(limit)}
  )`;
}
