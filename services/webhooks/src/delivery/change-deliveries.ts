// Applies transitions to open and closed deliveries of one subscription: pauses, resumes, cancels and restarts them. A restart
// gives a delivery a fresh set of attempts, for a redelivery, a replay or an operator's redrive.
import { ApiError, notFound } from "@tradepost/http";
import type { Cause } from "@tradepost/messaging";
import type { Tenant } from "@tradepost/postgres";
import { type RawBuilder, sql } from "kysely";
import { recordAudit } from "../record-audit.ts";
import type { Tables } from "../tables.ts";
import { findDelivery } from "./delivery-store.ts";
import { type TransitionName, transitionColumns } from "./lifecycle.ts";

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

/** Makes paused deliveries wait for admission, as due since their creation, so that the oldest are sent first. */
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
                              created_at, completed_at, replay_id)
    select tenant_id, id, subscription_id, event_id, type, after, attempt_count, generation, created_at,
           ${at}::timestamptz, replay_id
      from chosen`.execute(tx.db);
}

/**
 * Keeps redeliveries, replays and redrives of one subscription from restarting the same delivery. Take this lock before any other,
 * then choose the deliveries. Also locks the subscription. Returns null if that has been deleted.
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
 * Starts the next generation of each delivery, whatever its status. Returns how many were found, or null if the subscription has
 * been deleted.
 */
export async function restartDeliveries(
  tx: Tenant<Tables>,
  subscriptionId: string,
  deliveryIds: readonly string[],
  replayId: string | null = null,
): Promise<number | null> {
  const subscription = await lockForRestart(tx, subscriptionId);
  if (subscription === null) return null;
  const name = subscription.active ? "restarted" : "restarted while paused";
  const found = await restart(tx, subscriptionId, deliveryIds, name, replayId);
  const missing = deliveryIds.filter((id) => !found.has(id));
  if (missing.length === 0) return found.size;
  // If dispatch moves a delivery to the log while the statement waits for its row, the statement's snapshot has it in neither
  // table. A second statement sees it in the log: only a restart could move it back, and restarts wait for the lock above.
  const foundLater = await restart(tx, subscriptionId, missing, name, replayId);
  return found.size + foundLater.size;
}

/** Returns the delivery after its restart. Throws 404 if it does not exist, 409 if its subscription has been deleted. */
export async function redeliverDelivery(tx: Tenant<Tables>, id: string, cause: Cause) {
  const before = await findDelivery(tx, id);
  if (before === null) throw notFound("delivery");
  const restarted = await restartDeliveries(tx, before.subscriptionId, [id]);
  if (restarted === null) throw new ApiError("conflict", "The subscription of this delivery was deleted.");
  const target = { type: "webhook_delivery", id } as const;
  await recordAudit(tx, { action: "webhook_delivery.redelivered", target, changes: {} }, cause);
  return (await findDelivery(tx, id)) ?? before;
}

async function restart(
  tx: Tenant<Tables>,
  subscriptionId: string,
  deliveryIds: readonly string[],
  name: "restarted" | "restarted while paused",
  replayId: string | null,
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
                              next_attempt_at, queue_state, replay_id, before_replay)
      select ${tx.tenantId}, id, ${subscriptionId}, event_id, type, after, generation + 1, created_at,
             ${onlyIfPending("now()")}, ${onlyIfPending("'waiting'")}, ${replayId}::uuid,
             case when ${replayId}::uuid is not null then json_build_object(
               'log', (select to_json(logged) from logged where logged.id = closed.id),
               'dead', (select to_json(dead) from dead where delivery_id = closed.id)) end
        from closed
      returning id
    ), ${lockedDeliveries(tx, subscriptionId, deliveryIds)}, open as (
      select locked.*, after from locked join transition on before = status
    ), restarted as (
      update deliveries
         set status = after, attempt_count = 0, generation = deliveries.generation + 1, enqueued_at = null,
             locked_until = null, next_attempt_at = ${onlyIfPending("now()")},
             queue_state = ${onlyIfPending("'waiting'")}, replay_id = ${replayId}, before_replay = null
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

function transitionTable(...names: TransitionName[]): RawBuilder<unknown> {
  const { name, before, after } = transitionColumns(...names);
  return sql`transition (name, before, after) as (
    select * from unnest(${name}::text[], ${before}::text[], ${after}::text[]))`;
}

/**
 * `locked as (…)`: the open deliveries with these ids. Statements look up the transition after the lock, because the status may
 * change until then. Rows are locked in the order of their ids, as in dispatch, because another order would deadlock.
 */
function lockedDeliveries(
  { tenantId }: Tenant<Tables>,
  subscriptionId: string,
  ids: readonly string[],
): RawBuilder<unknown> {
  return sql`locked as (
    select * from deliveries
     where tenant_id = ${tenantId} and subscription_id = ${subscriptionId} and id = any(${ids}::uuid[])
     order by tenant_id, id
       for update)`;
}
