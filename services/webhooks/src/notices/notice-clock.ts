// Opens and closes the notices that depend on time, not on an attempt: waiting deliveries are near a bound, a secret's overlap
// ends, deliveries have stopped failing for good (interface §17).
import { inTransaction } from "@tradepost/postgres";
import { type Logger, type Repetition, repeat } from "@tradepost/runtime";
import type { Pool, PoolClient } from "pg";
import { mayWaitSince, TENANTS, WAITS, waitsSince } from "../delivery/delivery.ts";
import type { Facts, NoticeKind } from "./notice.ts";
import { closeNotices, openNotices } from "./notice-store.ts";

const LOOK_EVERY_MS = 60_000;
// An arbitrary number that nothing else in this database locks.
const LOCK = 712_017_002;
const NEAR = 0.8;
const FAR = 0.5;
const DAY_MS = 86_400_000;

/** SQL for a time in facts, as the API shows times. */
const instant = (time: string) => `to_char(${time} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

interface Due {
  readonly tenantId: string;
  readonly subscriptionId: string | null;
  readonly facts: Facts;
}

/** Only one replica at a time checks. */
export function startNoticeClock(options: {
  pool: Pool;
  bounds: { readonly daysMax: number; readonly deliveriesMax: number };
  lookEveryMs?: number | undefined;
  onNotice: () => void;
  logger: Logger;
}): Pick<Repetition, "stop"> {
  const { pool, bounds, lookEveryMs = LOOK_EVERY_MS, onNotice, logger } = options;
  const near = [Math.ceil(bounds.deliveriesMax * NEAR), bounds.daysMax * NEAR];
  const far = [Math.floor(bounds.deliveriesMax * FAR), bounds.daysMax * FAR];
  return repeat(async () => {
    try {
      const count = await inTransaction(pool, async (client) => {
        const { rows } = await client.query<{ isMine: boolean }>(
          `select pg_try_advisory_xact_lock(${LOCK}) as "isMine"`,
        );
        if (rows[0]?.isMine !== true) return 0;
        const bound = bounds.deliveriesMax;
        return (
          (await change(client, closeNotices, "delivery_failed", QUIET, [DAY_MS])) +
          (await change(client, openNotices, "secret_overlap_ends", ENDING_OVERLAPS, [])) +
          (await change(client, closeNotices, "secret_overlap_ends", ENDED_OVERLAPS, [])) +
          (await change(client, openNotices, "waiting_near_bound", NEAR_BOUND, [bound, ...near])) +
          (await change(client, closeNotices, "waiting_near_bound", FAR_FROM_BOUND, [bound, ...far]))
        );
      });
      if (count > 0) onNotice();
    } catch (error) {
      logger.warn({ err: error }, "notices not opened or closed by the clock; retrying");
    }
    return lookEveryMs;
  });
}

/** Returns how many notices changed. */
async function change(
  client: PoolClient,
  apply: typeof openNotices,
  kind: NoticeKind,
  text: string,
  values: unknown[],
): Promise<number> {
  const { rows } = await client.query<Due>(text, values);
  return (
    await apply(
      client,
      rows.map((row) => ({ ...row, kind })),
    )
  ).length;
}

const QUIET = `
  select tenant_id as "tenantId", subscription_id as "subscriptionId", '{}'::json as facts
    from notices
   where kind = 'delivery_failed' and closed_at is null and seen_at < now() - $1 * interval '1 ms'`;

const ENDING_OVERLAPS = `
  select tenant_id as "tenantId", id as "subscriptionId",
         json_build_object('endsAt', ${instant("previous_secret_until")}) as facts
    from subscriptions
   where previous_secret_until > now() and previous_secret_until <= now() + interval '1 hour'
     and not exists (select from notices
                      where notices.tenant_id = subscriptions.tenant_id and notices.subscription_id = subscriptions.id
                        and kind = 'secret_overlap_ends' and closed_at is null)`;

const ENDED_OVERLAPS = `
  select notices.tenant_id as "tenantId", subscription_id as "subscriptionId", '{}'::json as facts
    from notices
    left join subscriptions on subscriptions.tenant_id = notices.tenant_id and subscriptions.id = notices.subscription_id
   where kind = 'secret_overlap_ends' and closed_at is null
     and (previous_secret_until is null or previous_secret_until <= now()
          or previous_secret_until > now() + interval '1 hour')`;

// Counts up to the bound. `$1` is the bound, and `$3` the age in days that counts as near or far.
const WAITING_OF_TENANTS = `
  with recursive ${TENANTS}, waiting as (
    select tenant.tenant_id, counted.count::integer as count, oldest.created_at
      from tenant
     cross join lateral (
       select count(*) from (
         select from deliveries
           join subscriptions on subscriptions.tenant_id = deliveries.tenant_id and subscriptions.id = subscription_id and active
          where deliveries.tenant_id = tenant.tenant_id and ${WAITS}
          limit $1) waiting) counted
      left join lateral (
       select min(old.created_at) as created_at
         from subscriptions
        cross join lateral (
          select created_at from deliveries
           where deliveries.tenant_id = subscriptions.tenant_id and subscription_id = subscriptions.id
             and ${waitsSince("now() - $3::float * interval '1 day'")}
           order by created_at, deliveries.id
           limit 1) old
        where subscriptions.tenant_id = tenant.tenant_id and ${mayWaitSince("now() - $3::float * interval '1 day'")}) oldest on true
  )`;

const NEAR_BOUND = `${WAITING_OF_TENANTS}
  select tenant_id as "tenantId", null::uuid as "subscriptionId",
         json_build_object('waiting', count, 'bound', $1::integer, 'oldestCreatedAt', ${instant("created_at")}) as facts
    from waiting
   where (count >= $2::integer or waiting.created_at is not null)
     and not exists (select from notices
                      where notices.tenant_id = waiting.tenant_id and kind = 'waiting_near_bound' and closed_at is null)`;

const FAR_FROM_BOUND = `${WAITING_OF_TENANTS}
  select notices.tenant_id as "tenantId", null::uuid as "subscriptionId", json_build_object('waiting', coalesce(count, 0)) as facts
    from notices left join waiting on waiting.tenant_id = notices.tenant_id
   where kind = 'waiting_near_bound' and closed_at is null
     and coalesce(count, 0) < $2::integer
     and waiting.created_at is null`;
