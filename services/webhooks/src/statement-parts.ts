import { type RawBuilder, sql } from "kysely";
import { DOWN_FROM_FAILURES } from "./endpoint/endpoint.ts";

/** The stored response body of the attempt `made`. */
export const bodyOfAttempt = sql<string | null>`case when made.response_digest = '' then '' else (
  select body from response_bodies
   where response_bodies.tenant_id = made.tenant_id and response_bodies.digest = made.response_digest
     and response_bodies.day = (made.at at time zone 'utc')::date) end`;

/** An index supports this order. The deliveries of a replay come last. */
export const IN_TURN = "replay_id is not null, next_attempt_at, id";

/** Keeps what was in progress during a tenant's deletion from being stored. */
export function isNotDeleted(tenantIdColumn: string): string {
  return `not exists (select from deleted_tenants where tenant_digest = sha256(uuid_send(${tenantIdColumn})))`;
}

/** Neither ended nor paused nor being sent. */
export const WAITS = "status in ('pending', 'retrying') and (locked_until is null or locked_until < now())";

/** The subscription has not been paused since `time`. */
export const mayWaitSince = (time: RawBuilder<unknown>) =>
  sql`active and (resumed_at is null or resumed_at < ${time})`;

/** Has waited since before `time`. A redelivery waits only since it was last due. */
export const waitsSince = (time: RawBuilder<unknown>) =>
  sql`created_at < ${time} and (generation = 1 or next_attempt_at < ${time}) and ${sql.raw(WAITS)}`;

/** The tenants with deliveries, found by skipping from one to the next in the index. */
export const TENANTS = `
  tenant as (
    (select tenant_id from deliveries order by tenant_id limit 1)
    union all
    select following.tenant_id from tenant cross join lateral (
      select tenant_id from deliveries where tenant_id > tenant.tenant_id order by tenant_id limit 1) following
  )`;

/** The first waiting delivery of each endpoint, found like `TENANTS`. */
export const WAITING_ENDPOINTS = `
  endpoint as (
    (select tenant_id, subscription_id, next_attempt_at from deliveries
      where queue_state = 'waiting' and status in ('pending', 'retrying')
      order by tenant_id, subscription_id, ${IN_TURN} limit 1)
    union all
    select following.* from endpoint cross join lateral (
      select tenant_id, subscription_id, next_attempt_at from deliveries
       where queue_state = 'waiting' and status in ('pending', 'retrying')
         and (tenant_id, subscription_id) > (endpoint.tenant_id, endpoint.subscription_id)
       order by tenant_id, subscription_id, ${IN_TURN} limit 1
    ) following
  )`;

/** For statements that read `endpoints` and `subscriptions`. A new subscription inherits a down endpoint. */
export const CONSECUTIVE_FAILURES = `
  case when endpoints.down then greatest(subscriptions.consecutive_failures, ${DOWN_FROM_FAILURES})
       else subscriptions.consecutive_failures end`;

export const RESTRAINT = `
  restrained as "isRestrained",
  case when held_until > now() then extract(epoch from held_until - now())::float * 1000 end as "heldForMs"`;

/** Not more often, because every fan-out locks the subscription. */
export const SUCCESS_NOTED_EVERY = "interval '10 seconds'";

/** For statements that read `subscriptions`. */
export const IS_RECORDED_HEALTHY = "(consecutive_failures = 0 and last_success_at is not null)";

export const IS_SUCCESS_DUE = `coalesce(last_success_at <= now() - ${SUCCESS_NOTED_EVERY}, true)`;

const WAITING_COUNTED_MAX = 1_000_000;

/** Counts in an index's order, so it stops at `max`. */
export function waitingOf(
  tenantId: string,
  subscriptionId: string,
  { max = WAITING_COUNTED_MAX, countsPaused = "false", where = "true" } = {},
): string {
  return `(select count(*)::integer from (
     select from deliveries
      where deliveries.tenant_id = ${tenantId} and deliveries.subscription_id = ${subscriptionId}
        and (status in ('pending', 'retrying') or status = 'paused' and ${countsPaused})
        and (locked_until is null or locked_until < now()) and ${where}
      order by created_at desc, id desc
      limit ${max}) as waiting)`;
}
