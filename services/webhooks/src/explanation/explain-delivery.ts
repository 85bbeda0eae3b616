// The operator's answer to "why is this delivery late, or missing?": reads in one statement what there is to know of it.
import { type Kysely, sql } from "kysely";
import type { Tables } from "../tables.ts";
import { type DeliveryFacts, type Explanation, explain } from "./explanation.ts";

/** Out: null where no delivery has this id. */
export async function explainDelivery(db: Kysely<Tables>, id: string): Promise<Explanation | null> {
  const { rows } = await sql<DeliveryFacts>`
    select all_deliveries.id, all_deliveries.status, all_deliveries.attempt_count as "attemptCount",
           all_deliveries.next_attempt_at as "nextAttemptAt", completed_at as "completedAt", deliveries.queue_state as "queueState",
           coalesce(deliveries.status = 'paused' and all_deliveries.status in ('pending', 'retrying'), false)
             as "isBeingResumed",
           coalesce(all_deliveries.next_attempt_at <= now(), false) as "isDue",
           coalesce(deliveries.locked_until > now(), false) as "isLocked",
           dead_letters.delivery_id is not null as "isDead",
           (select count(*)::int from deliveries before
             where before.tenant_id = deliveries.tenant_id and before.subscription_id = deliveries.subscription_id
               and before.queue_state = 'waiting' and before.status in ('pending', 'retrying')
               and (before.next_attempt_at, before.id) < (deliveries.next_attempt_at, deliveries.id)) as "waitingBefore",
           (select count(*)::int from deliveries beside
             where beside.tenant_id = deliveries.tenant_id and beside.subscription_id = deliveries.subscription_id
               and beside.queue_state = 'queued' and beside.status in ('pending', 'retrying')) as "queuedCount",
           window_size as "windowSize", consecutive_failures as "consecutiveFailures",
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
