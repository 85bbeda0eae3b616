import { type Kysely, sql } from "kysely";
import type { Tables } from "../tables.ts";
import { type DeliveryFacts, type Explanation, explain } from "./explanation.ts";

export async function explainDelivery(db: Kysely<Tables>, id: string): Promise<Explanation | null> {
  const { rows } = await sql<DeliveryFacts>`
    select all_deliveries.id, all_deliveries.status, all_deliveries.attempt_count as "attemptCount",
           all_deliveries.next_attempt_at as "nextAttemptAt", completed_at as "completedAt", deliveries.queue_state as "queueState",
           coalesce(deliveries.status = 'paused' and all_deliveries.status in ('pending', 'retrying'), false)
             as "isBeingResumed",
           coalesce(all_deliveries.next_attempt_at <= now(), false) as "isDue",
           coalesce(deliveries.locked_until > now(), false) as "isLocked",
           dead_letters.delivery_id is not null as "isDead",
           (select count(*)::int from deliveries earlier
             where earlier.tenant_id = deliveries.tenant_id and earlier.subscription_id = deliveries.subscription_id
               and earlier.queue_state = 'waiting' and earlier.status in ('pending', 'retrying')
               and (earlier.next_attempt_at, earlier.id) < (deliveries.next_attempt_at, deliveries.id)) as "waitingBefore",
           (select count(*)::int from deliveries queued
             where queued.tenant_id = deliveries.tenant_id and queued.subscription_id = deliveries.subscription_id
               and queued.queue_state = 'queued' and queued.status in ('pending', 'retrying')) as "queuedCount",
           subscriptions.id is not null as "hasSubscription",
           subscriptions.id is not null and subscriptions.url is null as "isOfListener",
           exists (select from suspended_tenants where tenant_id = all_deliveries.tenant_id) as "isSuspended",
           case when deliveries.locked_until > now() then deliveries.locked_until end as "leasedUntil",
           window_size as "windowSize", consecutive_failures as "consecutiveFailures",
           case when held_until > now() then held_until end as "heldUntil", down_since as "downSince",
           max_per_second as "maxPerSecond", max_in_flight as "maxInFlight",
           (select outcome from delivery_log
             where delivery_log.tenant_id = all_deliveries.tenant_id and delivery_log.id = all_deliveries.id
               and delivery_log.completed_at = all_deliveries.completed_at limit 1) as "givenUp",
           (select json_build_object('outcome', outcome, 'statusCode', status_code) from attempts
             where attempts.tenant_id = all_deliveries.tenant_id and delivery_id = all_deliveries.id
             order by generation desc, attempt desc limit 1) as last
      from all_deliveries
      left join deliveries on deliveries.tenant_id = all_deliveries.tenant_id and deliveries.id = all_deliveries.id
      left join dead_letters on dead_letters.tenant_id = all_deliveries.tenant_id
                            and dead_letters.delivery_id = all_deliveries.id
      left join subscriptions on subscriptions.tenant_id = all_deliveries.tenant_id
                             and subscriptions.id = all_deliveries.subscription_id
      left join endpoints on endpoints.tenant_id = subscriptions.tenant_id
                         and endpoints.subscription_id = subscriptions.id
     where all_deliveries.id = ${id}`.execute(db);
  return rows[0] === undefined ? null : explain(rows[0]);
}
