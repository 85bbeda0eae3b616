// SQL conditions for deliveries that wait for an attempt, and for how long they have waited (interface §17).

/** The delivery has not ended, and is neither paused nor being sent. */
export const WAITS = "status in ('pending', 'retrying') and (locked_until is null or locked_until < now())";

/** The subscription's deliveries may have waited since before `time`: it has not been paused since then. */
export const mayWaitSince = (time: string) => `active and (resumed_at is null or resumed_at < ${time})`;

/** A delivery of such a subscription has waited since before `time`. If it is sent again, it waits only since it was last due. */
export const waitsSince = (time: string) =>
  `created_at < ${time} and (generation = 1 or next_attempt_at < ${time}) and ${WAITS}`;

/** `tenant (tenant_id)`: the tenants with deliveries, found by skipping from one to the next in the index. */
export const TENANTS = `
  tenant as (
    (select tenant_id from deliveries order by tenant_id limit 1)
    union all
    select following.tenant_id from tenant cross join lateral (
      select tenant_id from deliveries where tenant_id > tenant.tenant_id order by tenant_id limit 1) following
  )`;
