// Sends deliveries again: a restart gives a delivery a fresh set of attempts, for a redelivery, a replay or an operator's redrive.
import { ApiError, required } from "@tradepost/http";
import type { Cause } from "@tradepost/messaging";
import { type RawBuilder, sql } from "kysely";
import { stillOffered } from "../offered-types.ts";
import { recordAudit } from "../record-audit.ts";
import type { Tenant } from "../tables.ts";
import { lockedDeliveries, transitionTable } from "./change-deliveries.ts";
import { findDelivery } from "./delivery-store.ts";

/**
 * Keeps redeliveries, replays and redrives of one subscription from restarting the same delivery. Take this lock before any other,
 * then choose the deliveries. Returns null if the subscription has been deleted.
 */
export async function lock(tx: Tenant, subscriptionId: string) {
  await sql`select pg_advisory_xact_lock(hashtextextended(${subscriptionId}, 0))`.execute(tx.db);
  const subscription = await tx.db
    .selectFrom("subscriptions")
    .select(["active", "version", "payload"])
    .where("tenant_id", "=", tx.tenantId)
    .where("id", "=", subscriptionId)
    .forShare()
    .executeTakeFirst();
  return subscription ?? null;
}

/** Starts the next generation of each delivery. Returns how many were found, or null if the subscription has been deleted. */
export async function restart(
  tx: Tenant,
  subscriptionId: string,
  deliveryIds: readonly string[],
  replayId: string | null = null,
): Promise<number | null> {
  const subscription = await lock(tx, subscriptionId);
  if (subscription === null) return null;
  const restarted = {
    name: subscription.active ? "restarted" : "restarted while paused",
    replayId,
    isThin: subscription.payload === "thin" || null,
  } as const;
  const found = await restartFound(tx, subscriptionId, deliveryIds, restarted);
  const missing = deliveryIds.filter((id) => !found.has(id));
  if (missing.length === 0) return found.size;
  // If dispatch moves a delivery to the log while the statement waits for its row, the statement's snapshot has it in neither
  // table. A second statement sees it in the log: only a restart could move it back, and restarts wait for the lock above.
  const foundLater = await restartFound(tx, subscriptionId, missing, restarted);
  return found.size + foundLater.size;
}

/** @throws 404 if the delivery does not exist; 409 if its subscription has been deleted, or its type is offered no more. */
export async function redeliver(tx: Tenant, id: string, cause: Cause) {
  const before = required(await findDelivery(tx, id), "delivery");
  if (!(await stillOffered(tx, [before.type])).has(before.type))
    throw new ApiError("conflict", `Webhooks of ${before.type} are turned off on this platform.`);
  const restarted = await restart(tx, before.subscriptionId, [id]);
  if (restarted === null) throw new ApiError("conflict", "The subscription of this delivery was deleted.");
  await recordAudit(tx, "webhook_delivery.redelivered", { type: "webhook_delivery", id }, cause);
  return (await findDelivery(tx, id)) ?? before;
}

interface Restarted {
  readonly name: "restarted" | "restarted while paused";
  readonly replayId: string | null;
  readonly isThin: true | null;
}

async function restartFound(
  tx: Tenant,
  subscriptionId: string,
  deliveryIds: readonly string[],
  { name, replayId, isThin }: Restarted,
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
                              next_attempt_at, queue_state, replay_id, is_thin, before_replay)
      select ${tx.tenantId}, id, ${subscriptionId}, event_id, type, after, generation + 1, created_at,
             ${onlyIfPending("now()")}, ${onlyIfPending("'waiting'")}, ${replayId}::uuid, ${isThin}::boolean,
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
             queue_state = ${onlyIfPending("'waiting'")}, replay_id = ${replayId}, is_thin = ${isThin}, before_replay = null
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

/**
 * Reverts up to `limit` deliveries of a replay that no process has claimed, newest first, because the oldest are sent next. Skips
 * locked deliveries. An attempt in progress continues.
 */
export async function takeBack(tx: Tenant, subscriptionId: string, replayId: string, limit: number) {
  const isUnsent = sql`tenant_id = ${tx.tenantId} and subscription_id = ${subscriptionId} and replay_id = ${replayId}
         and attempt_count = 0 and enqueued_at is null`;
  const { rows } = await sql<{ count: number }>`
    with unsent as (
      select ctid as tid from deliveries
       where ${isUnsent}
       order by created_at desc, id desc
       limit ${limit}
         for update skip locked
    ), taken as (
      delete from deliveries using unsent where deliveries.ctid = unsent.tid
      returning id, event_id, generation, before_replay->'log' as log, before_replay->'dead' as dead
    ), logged as (
      insert into delivery_log
      select (jsonb_populate_record(null::delivery_log, log || jsonb_build_object('generation', generation))).*
        from taken where jsonb_typeof(log) = 'object'
    ), dead as (
      insert into dead_letters
      select (jsonb_populate_record(null::dead_letters, dead || jsonb_build_object(
                'generation', generation, 'published_at', null))).*
        from taken where jsonb_typeof(dead) = 'object'
    ), counted as (
      update events set matched = matched - 1
       where tenant_id = ${tx.tenantId} and id in (select event_id from taken where log is null)
    )
    select count(*)::integer as count from taken`.execute(tx.db);
  const { rows: left } = await sql`select from deliveries where ${isUnsent} limit 1`.execute(tx.db);
  return { taken: rows[0]?.count ?? 0, isAll: left.length === 0 };
}
