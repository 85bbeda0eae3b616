// Applies transitions to open deliveries of one subscription: pauses, resumes and cancels them.
import { type RawBuilder, sql } from "kysely";
import type { Tenant } from "../tables.ts";
import { type TransitionName, transitionColumns } from "./lifecycle.ts";

export async function pauseDeliveries(
  tx: Tenant,
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

/** Makes paused deliveries wait for admission, oldest first. */
export async function resumeDeliveries(
  tx: Tenant,
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

export async function cancelDeliveries(
  tx: Tenant,
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
                              created_at, completed_at, replay_id)
    select tenant_id, id, subscription_id, event_id, type, after, attempt_count, generation, created_at,
           ${at}::timestamptz, replay_id
      from chosen`.execute(tx.db);
}

export function transitionTable(...names: TransitionName[]): RawBuilder<unknown> {
  const { name, before, after } = transitionColumns(...names);
  return sql`transition (name, before, after) as (
    select * from unnest(${name}::text[], ${before}::text[], ${after}::text[]))`;
}

/** `locked as (…)`: the open deliveries with these ids. The transition is looked up after the lock. */
export function lockedDeliveries(
  { tenantId }: Tenant,
  subscriptionId: string,
  ids: readonly string[],
): RawBuilder<unknown> {
  return sql`locked as (
    select * from deliveries
     where tenant_id = ${tenantId} and subscription_id = ${subscriptionId} and id = any(${ids}::uuid[])
     order by tenant_id, id
       for update)`;
}
