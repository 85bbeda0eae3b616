// Starts deliveries over with a fresh set of attempts: for a redelivery, a recovery and an operator's redrive.
import type { Tenant } from "@tradepost/postgres";
import { type RawBuilder, sql } from "kysely";
import type { Tables } from "../tables.ts";
import { lockedDeliveries, transitionTable } from "./transition-sql.ts";

/**
 * Makes redeliveries, recoveries and redrives of one subscription wait for each other, so that none of them restarts a delivery
 * that another has chosen. Take it before any other lock, then choose the deliveries. It locks the subscription first, as
 * every transaction does. Returns null if the subscription has been deleted.
 */
export async function lockForRestart(
  tx: Tenant<Tables>,
  subscriptionId: string,
): Promise<{ active: boolean; version: number } | null> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${subscriptionId}, 0))`.execute(tx.db);
  const subscription = await tx.db
    .selectFrom("subscriptions")
    .select(["active", "version"])
    .where("tenant_id", "=", tx.tenantId)
    .where("id", "=", subscriptionId)
    .forShare()
    .executeTakeFirst();
  return subscription ?? null;
}

/**
 * Starts the next generation of each delivery, whatever its status; the ids stay. Returns how many were found, or null if the
 * subscription has been deleted.
 */
export async function restartDeliveries(
  tx: Tenant<Tables>,
  subscriptionId: string,
  deliveryIds: readonly string[],
): Promise<number | null> {
  const subscription = await lockForRestart(tx, subscriptionId);
  if (subscription === null) return null;
  const name = subscription.active ? "restarted" : "restarted while paused";
  const found = await restart(tx, subscriptionId, deliveryIds, name);
  const missing = deliveryIds.filter((id) => !found.has(id));
  if (missing.length === 0) return found.size;
  // A delivery that dispatch moves to the log while the statement waits for its row is in neither table for that statement's
  // snapshot. A second statement sees it in the log; only a restart, which waits for the lock above, would move it back.
  const foundLater = await restart(tx, subscriptionId, missing, name);
  return found.size + foundLater.size;
}

async function restart(
  tx: Tenant<Tables>,
  subscriptionId: string,
  deliveryIds: readonly string[],
  name: "restarted" | "restarted while paused",
): Promise<Set<string>> {
  const ids = sql`any(${deliveryIds}::uuid[])`;
  const { rows } = await sql<{ id: string }>`
    with ${transitionTable(name)},
    logged as (
      select delivery_log.*, after
        from delivery_log join transition on before = status
       where tenant_id = ${tx.tenantId} and subscription_id = ${subscriptionId} and id = ${ids}
       order by tenant_id, id
         for update of delivery_log
    ), unlogged as (
      delete from delivery_log using logged
       -- The values again, so that every plan finds the rows by their key.
       where delivery_log.tenant_id = ${tx.tenantId} and delivery_log.id = ${ids}
         and delivery_log.id = logged.id and delivery_log.completed_at = logged.completed_at
    ), dead as (
      delete from dead_letters
       where tenant_id = ${tx.tenantId} and subscription_id = ${subscriptionId} and delivery_id = ${ids}
      returning *
    ), closed as (
      select id, event_id, type, generation, created_at, after from logged
       union -- The log's row of a dead letter may have been dropped with its day.
      select delivery_id, event_id, type, generation, created_at, after
        from dead join transition on before = 'failed'
    ), reopened as (
      insert into deliveries (tenant_id, id, subscription_id, event_id, type, status, generation, created_at,
                              next_attempt_at, queue_state)
      select ${tx.tenantId}, id, ${subscriptionId}, event_id, type, after, generation + 1, created_at,
             ${onlyIfPending("now()")}, ${onlyIfPending("'waiting'")}
        from closed
      returning id
    ), ${lockedDeliveries(tx, subscriptionId, deliveryIds)}, open as (
      select locked.*, after from locked join transition on before = status
    ), restarted as (
      update deliveries
         set status = after, attempt_count = 0, generation = deliveries.generation + 1, enqueued_at = null,
             locked_until = null, next_attempt_at = ${onlyIfPending("now()")},
             queue_state = ${onlyIfPending("'waiting'")}
        from open
       where deliveries.tenant_id = open.tenant_id and deliveries.id = open.id
      returning deliveries.id
    )
    select id from reopened union all select id from restarted`.execute(tx.db);
  return new Set(rows.map(({ id }) => id));
}

function onlyIfPending(value: string): RawBuilder<unknown> {
  return sql`case when after = 'pending' then ${sql.raw(value)} end`;
}
