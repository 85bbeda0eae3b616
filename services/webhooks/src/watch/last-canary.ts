// Reads the last delivered canary from the database, so every replica reports the same, also after a restart. The last is the
// one that was committed last: after a purge of the queue, older ones are published again and delivered after it.
import { CANARY_TENANT_ID } from "@tradepost/event-catalog";
import { type Kysely, sql } from "kysely";
import type { Tables } from "../tables.ts";
import { CANARY_SUBSCRIPTION_ID } from "./canary-subscription.ts";

export interface LastCanary {
  /** Since its commit; before the first canary, since the canary was switched on. */
  readonly ageSeconds: number;
  /** From its commit until its delivery was recorded; NaN before the first canary. */
  readonly latencySeconds: number;
}

const RECENT_MAX = 100;

/** Throws if the canary's subscription was deleted. */
export async function readLastCanary(db: Kysely<Tables>): Promise<LastCanary> {
  // `occurred_at` comes from the content database's clock, the other times from this one's, so differences may be negative.
  const { rows } = await sql<{ ageSeconds: number; latencySeconds: number | null }>`
    select greatest(0, extract(epoch from clock_timestamp() - coalesce(delivery.occurred_at, subscription.created_at)))::float
             as "ageSeconds",
           greatest(0, extract(epoch from delivery.completed_at - delivery.occurred_at))::float as "latencySeconds"
      from subscriptions as subscription
      left join lateral (
        select occurred_at, completed_at
          from (select event_id, completed_at from delivery_log
                 where delivery_log.tenant_id = subscription.tenant_id and subscription_id = subscription.id
                   and status = 'delivered'
                 order by created_at desc, id desc
                 limit ${RECENT_MAX}) as recent
          join events on events.tenant_id = subscription.tenant_id and events.id = recent.event_id
         order by occurred_at desc
         limit 1
      ) delivery on true
     where subscription.tenant_id = ${CANARY_TENANT_ID} and subscription.id = ${CANARY_SUBSCRIPTION_ID}`.execute(
    db,
  );
  const [last] = rows;
  if (last === undefined) throw new Error("the canary has no subscription");
  return { ageSeconds: last.ageSeconds, latencySeconds: last.latencySeconds ?? Number.NaN };
}
