// Pauses, resumes or cancels a batch of one subscription's open deliveries.
import type { Tenant } from "@tradepost/postgres";
import { sql } from "kysely";
import type { Tables } from "../tables.ts";
import { lockedDeliveries, transitionTable } from "./transition-sql.ts";

export async function pauseDeliveries(
  tx: Tenant<Tables>,
  subscriptionId: string,
  ids: readonly string[],
): Promise<void> {
  await sql`
    with ${transitionTable("paused")}, ${lockedDeliveries(tx, subscriptionId, ids)},
    chosen as (select locked.*, after from locked join transition on before = status)
    update deliveries set status = after, next_attempt_at = null, queue_state = null
      from chosen
     where deliveries.tenant_id = chosen.tenant_id and deliveries.id = chosen.id`.execute(tx.db);
}

/**
 * Resumed deliveries wait for admission. They are due since their creation, so the oldest are sent first, also before
 * deliveries of the subscription that were never paused.
 */
export async function resumeDeliveries(
  tx: Tenant<Tables>,
  subscriptionId: string,
  ids: readonly string[],
): Promise<void> {
  await sql`
    with ${transitionTable("resumed before its first attempt", "resumed between attempts")},
    ${lockedDeliveries(tx, subscriptionId, ids)}, chosen as (
      select locked.*, after
        from locked
        join transition on before = status
                       and name = case when attempt_count = 0 then 'resumed before its first attempt'
                                       else 'resumed between attempts' end
    )
    update deliveries set status = after, next_attempt_at = chosen.created_at, queue_state = 'waiting'
      from chosen
     where deliveries.tenant_id = chosen.tenant_id and deliveries.id = chosen.id`.execute(tx.db);
}

/** `at` is when the subscription was deleted. */
export async function cancelDeliveries(
  tx: Tenant<Tables>,
  subscriptionId: string,
  ids: readonly string[],
  at: Date,
): Promise<void> {
  await sql`
    with ${transitionTable("cancelled")}, ${lockedDeliveries(tx, subscriptionId, ids)},
    chosen as (select locked.*, after from locked join transition on before = status),
    deleted as (
      delete from deliveries using chosen
       where deliveries.tenant_id = chosen.tenant_id and deliveries.id = chosen.id
    )
    insert into delivery_log (tenant_id, id, subscription_id, event_id, type, status, attempt_count, generation,
                              created_at, completed_at)
    select tenant_id, id, subscription_id, event_id, type, after, attempt_count, generation, created_at,
           ${at}::timestamptz
      from chosen`.execute(tx.db);
}
