// Opens and closes the notices that depend on time, not on an attempt: waiting deliveries are near a bound, a secret's overlap
// ends, deliveries have stopped failing for good (interface §17).
import { inTransaction, toStatement } from "@tradepost/postgres";
import { type Logger, type Repetition, repeatOrWarn } from "@tradepost/runtime";
import { type RawBuilder, sql } from "kysely";
import type { Pool, PoolClient } from "pg";
import { mayWaitSince, TENANTS, WAITS, waitsSince } from "../statement-parts.ts";
import type { Facts, NoticeKind } from "./notice.ts";
import { closeNotices, openNotices } from "./notice-store.ts";

const LOOK_EVERY_MS = 60_000;
// An arbitrary number that nothing else in this database locks.
const LOCK = 712_017_002;
const NEAR = 0.8;
const FAR = 0.5;

const instant = (time: string) =>
  sql.raw(`to_char(${time} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`);

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
  const { daysMax, deliveriesMax } = bounds;
  const near = { count: Math.ceil(deliveriesMax * NEAR), days: daysMax * NEAR };
  const far = { count: Math.floor(deliveriesMax * FAR), days: daysMax * FAR };
  const changes = [
    [closeNotices, "delivery_failed", QUIET],
    [openNotices, "secret_overlap_ends", ENDING_OVERLAPS],
    [closeNotices, "secret_overlap_ends", ENDED_OVERLAPS],
    [openNotices, "waiting_near_bound", nearBound(deliveriesMax, near)],
    [closeNotices, "waiting_near_bound", farFromBound(deliveriesMax, far)],
  ] as const;
  const warning = "notices not opened or closed by the clock; retrying";
  return repeatOrWarn(logger, warning, lookEveryMs, async () => {
    const count = await inTransaction(pool, async (client) => {
      const { rows } = await client.query<{ isMine: boolean }>(
        `select pg_try_advisory_xact_lock(${LOCK}) as "isMine"`,
      );
      if (rows[0]?.isMine !== true) return 0;
      let changed = 0;
      for (const [apply, kind, due] of changes) changed += await change(client, apply, kind, due);
      return changed;
    });
    if (count > 0) onNotice();
    return lookEveryMs;
  });
}

async function change(
  client: PoolClient,
  apply: typeof openNotices,
  kind: NoticeKind,
  due: RawBuilder<unknown>,
): Promise<number> {
  const { rows } = await client.query<Due>(toStatement(due));
  const changed = await apply(
    client,
    rows.map((row) => ({ ...row, kind })),
  );
  return changed.length;
}

const QUIET = sql`
  select tenant_id as "tenantId", subscription_id as "subscriptionId", '{}'::json as facts
    from notices
   where kind = 'delivery_failed' and closed_at is null and seen_at < now() - interval '1 day'`;

const ENDING_OVERLAPS = sql`
  select tenant_id as "tenantId", id as "subscriptionId",
         json_build_object('endsAt', ${instant("previous_secret_until")}) as facts
    from subscriptions
   where previous_secret_until > now() and previous_secret_until <= now() + interval '1 hour'
     and not exists (select from notices
                      where notices.tenant_id = subscriptions.tenant_id and notices.subscription_id = subscriptions.id
                        and kind = 'secret_overlap_ends' and closed_at is null)`;

const ENDED_OVERLAPS = sql`
  select notices.tenant_id as "tenantId", subscription_id as "subscriptionId", '{}'::json as facts
    from notices
    left join subscriptions on subscriptions.tenant_id = notices.tenant_id and subscriptions.id = notices.subscription_id
   where kind = 'secret_overlap_ends' and closed_at is null
     and (previous_secret_until is null or previous_secret_until <= now()
          or previous_secret_until > now() + interval '1 hour')`;

interface Mark {
  readonly count: number;
  readonly days: number;
}

function waitingOfTenants(bound: number, { days }: Mark) {
  const old = sql`now() - ${days}::float * interval '1 day'`;
  return sql`
  with recursive ${sql.raw(TENANTS)}, waiting as (
    select tenant.tenant_id, counted.count::integer as count, oldest.created_at
      from tenant
     cross join lateral (
       select count(*) from (
         select from deliveries
           join subscriptions on subscriptions.tenant_id = deliveries.tenant_id and subscriptions.id = subscription_id and active
          where deliveries.tenant_id = tenant.tenant_id and ${sql.raw(WAITS)}
          limit ${bound}) waiting) counted
      left join lateral (
       select min(old.created_at) as created_at
         from subscriptions
        cross join lateral (
          select created_at from deliveries
           where deliveries.tenant_id = subscriptions.tenant_id and subscription_id = subscriptions.id
             and ${waitsSince(old)}
           order by created_at, deliveries.id
           limit 1) old
        where subscriptions.tenant_id = tenant.tenant_id and ${mayWaitSince(old)}) oldest on true
  )`;
}

const nearBound = (bound: number, near: Mark) => sql`
  ${waitingOfTenants(bound, near)}
  select tenant_id as "tenantId", null::uuid as "subscriptionId",
         json_build_object('waiting', count, 'bound', ${bound}::integer, 'oldestCreatedAt', ${instant("created_at")}) as facts
    from waiting
   where (count >= ${near.count}::integer or waiting.created_at is not null)
     and not exists (select from notices
                      where notices.tenant_id = waiting.tenant_id and kind = 'waiting_near_bound' and closed_at is null)`;

const farFromBound = (bound: number, far: Mark) => sql`
  ${waitingOfTenants(bound, far)}
  select notices.tenant_id as "tenantId", null::uuid as "subscriptionId", json_build_object('waiting', coalesce(count, 0)) as facts
    from notices left join waiting on waiting.tenant_id = notices.tenant_id
   where kind = 'waiting_near_bound' and closed_at is null
     and coalesce(count, 0) < ${far.count}::integer
     and waiting.created_at is null`;
