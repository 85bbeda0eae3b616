// Conditions in SQL for deliveries that wait for an attempt, and since when (interface §17).

/** Neither ended, paused nor being sent. */
export const WAITS = "status in ('pending', 'retrying') and (locked_until is null or locked_until < now())";

/** That deliveries of the subscription may have waited since before `time`: not while it was paused. */
export const mayWaitSince = (time: string) => `active and (resumed_at is null or resumed_at < ${time})`;

/** That a delivery of such a subscription has. One that is sent again waits since it was last due, however old it is. */
export const waitsSince = (time: string) =>
  `created_at < ${time} and (generation = 1 or next_attempt_at < ${time}) and ${WAITS}`;

/** `tenant (tenant_id)`: the tenants with deliveries. Skips through the index from one to the next. */
export const TENANTS = `
  tenant as (
    (select tenant_id from deliveries order by tenant_id limit 1)
    union all
    select following.tenant_id from tenant cross join lateral (
      select tenant_id from deliveries where tenant_id > tenant.tenant_id order by tenant_id limit 1) following
  )`;
