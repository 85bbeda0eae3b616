// Finds deliveries and dead letters that no part of the service will process, for `ops verify`.
import { type Kysely, sql } from "kysely";
import { ids } from "../delivery/delivery.ts";
import type { Tables } from "../tables.ts";

export interface Stuck {
  readonly kind:
    | "delivery_overdue"
    | "delivery_without_event"
    | "dead_letter_unpublished"
    | "dead_letter_without_failure";
  readonly tenantId: string;
  readonly count: number;
  readonly ids: readonly string[];
}

/**
 * `since` limits deliveries and dead letters by their time of creation and failure, except overdue ones. `overdueMs` must be longer
 * than the sweep's grace and interval together.
 *
 * A delivery that waits for admission is overdue only if no delivery of its endpoint makes progress, and never if the endpoint is a
 * listener, has limits, is held or is down. No delivery is overdue while the reconciliation of its subscription makes progress.
 */
export async function findStuck(
  db: Kysely<Tables>,
  { since, overdueMs, idsMax }: { since: Date; overdueMs: number; idsMax: number },
): Promise<Stuck[]> {
  const overdue = sql`now() - ${overdueMs} * interval '1 ms'`;
  const { rows } = await sql<Stuck>`
    with reconciling as (
      select tenant_id, subscription_id from reconciliations where advanced_at >= ${overdue}
    ), overdue as (
      select tenant_id, id from deliveries
       where status in ('pending', 'retrying') and coalesce(locked_until, '-infinity') < ${overdue}
         and (queue_state = 'queued' and coalesce(enqueued_at, '-infinity') < ${overdue}
              or (queue_state = 'delayed' or queue_state is null) and next_attempt_at < ${overdue})
         and (tenant_id, subscription_id) not in (select * from reconciling)
       union all
      select tenant_id, id from deliveries as waiting
       where status in ('pending', 'retrying') and queue_state = 'waiting' and next_attempt_at < ${overdue}
         and not exists (select from deliveries as queued
                          where queued.tenant_id = waiting.tenant_id and queued.subscription_id = waiting.subscription_id
                            and queued.queue_state = 'queued' and queued.status in ('pending', 'retrying'))
         and not exists (select from subscriptions
                          where subscriptions.tenant_id = waiting.tenant_id
                            and subscriptions.id = waiting.subscription_id
                            and (greatest(last_success_at, last_failure_at) >= ${overdue} or url is null or restrained))
         and (tenant_id, subscription_id) not in (select * from reconciling)
    ), made as (
      select tenant_id, id, event_id from deliveries where created_at >= ${since}
       union all
      select tenant_id, id, event_id from delivery_log where created_at >= ${since} and completed_at >= ${since}
    ), without_recent_event as (
      select * from made
       where not exists (select from events where events.tenant_id = made.tenant_id and events.id = made.event_id
                                              and events.id >= ${ids.firstIdAt(since)})
    ), stuck as (
      select 'delivery_overdue' as kind, tenant_id, id from overdue
       union all
      select 'delivery_without_event', tenant_id, id from without_recent_event as made -- Few rows: each is looked up in every partition.
       where not exists (select from events where events.tenant_id = made.tenant_id and events.id = made.event_id
                         offset 0)
       union all
      select 'dead_letter_unpublished', tenant_id, delivery_id from dead_letters
       where published_at is null and failed_at < ${overdue}
       union all
      select 'dead_letter_without_failure', tenant_id, delivery_id from dead_letters
       where failed_at >= ${since}
         and not exists (select from delivery_log
                          where delivery_log.tenant_id = dead_letters.tenant_id
                            and delivery_log.id = dead_letters.delivery_id and status = 'failed')
    )
    select kind, tenant_id as "tenantId", count(*)::float as count,
           (array_agg(id order by id))[1:${idsMax}::integer] as ids
      from stuck
     group by kind, tenant_id
     order by kind, tenant_id`.execute(db);
  return rows;
}
