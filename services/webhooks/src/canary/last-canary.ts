// Reads which canary came through last: one whose delivery is recorded as delivered, whichever replica sent it. So the
// answer is the same of every replica, and outlives them all.
import { CANARY_TENANT_ID } from "@tradepost/event-catalog";
import type { Pool } from "pg";
import { CANARY_SUBSCRIPTION_ID } from "./canary-subscription.ts";

export interface LastCanary {
  /** Since its commit; where none has come through yet, since the canary was switched on. */
  readonly ageSeconds: number;
  /** From its commit to the record of its delivery; NaN where none has come through yet. */
  readonly latencySeconds: number;
}

// The commit's time is of the content database's clock, the others are of this one's: they may differ by a little.
const READ = `
  select greatest(0, extract(epoch from clock_timestamp() - coalesce(event.occurred_at, subscription.created_at)))::float
           as "ageSeconds",
         greatest(0, extract(epoch from delivery.completed_at - event.occurred_at))::float as "latencySeconds"
    from subscriptions as subscription
    left join lateral (
      select event_id, completed_at from delivery_log
       where delivery_log.tenant_id = subscription.tenant_id and subscription_id = subscription.id
         and status = 'delivered'
       order by created_at desc, id desc
       limit 1
    ) delivery on true
    left join lateral (
      select occurred_at from events
       where events.tenant_id = subscription.tenant_id and events.id = delivery.event_id
    ) event on true
   where subscription.tenant_id = $1 and subscription.id = $2`;

/** Rejects where the database does not say, or somebody has removed the subscription. */
export async function readLastCanary(pool: Pool): Promise<LastCanary> {
  const { rows } = await pool.query<{ ageSeconds: number; latencySeconds: number | null }>(READ, [
    CANARY_TENANT_ID,
    CANARY_SUBSCRIPTION_ID,
  ]);
  const [last] = rows;
  if (last === undefined) throw new Error("the canary has no subscription");
  return { ageSeconds: last.ageSeconds, latencySeconds: last.latencySeconds ?? Number.NaN };
}
