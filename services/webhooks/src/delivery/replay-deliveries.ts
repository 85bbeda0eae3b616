// Creates a replay's deliveries for events that had none, and reverts the unsent deliveries of a cancelled replay to their earlier
// state. Both run in a transaction that has called `lockForRestart`.
import type { Tenant } from "@tradepost/postgres";
import { sql } from "kysely";
import type { Tables } from "../tables.ts";

export interface ReplayedEvent {
  readonly deliveryId: string;
  readonly eventId: string;
  readonly type: string;
}

/** Creates a delivery for each event. Returns how many events had none until now. */
export async function insertReplayed(
  tx: Tenant<Tables>,
  subscriptionId: string,
  replayId: string,
  events: readonly ReplayedEvent[],
): Promise<number> {
  if (events.length === 0) return 0;
  const { rows } = await sql<{ count: number }>`
    with inserted as (
      insert into deliveries (tenant_id, id, subscription_id, event_id, type, status, next_attempt_at, queue_state, replay_id)
      select ${tx.tenantId}, made.id, subscriptions.id, made.event_id, made.type, case when active then 'pending' else 'paused' end,
             case when active then now() end, case when active then 'waiting' end, ${replayId}
        from unnest(${events.map(({ deliveryId }) => deliveryId)}::uuid[], ${events.map(({ eventId }) => eventId)}::uuid[],
                    ${events.map(({ type }) => type)}::text[]) as made (id, event_id, type)
        join subscriptions on subscriptions.tenant_id = ${tx.tenantId} and subscriptions.id = ${subscriptionId}
      on conflict on constraint deliveries_once_for_each_pair do nothing
      returning event_id
    ), counted as (
      update events set matched = matched + 1
       where tenant_id = ${tx.tenantId} and id = any(${events.map(({ eventId }) => eventId)}::uuid[])
         and id in (select event_id from inserted)
    )
    select count(*)::integer as count from inserted`.execute(tx.db);
  return rows[0]?.count ?? 0;
}

export interface TakenBack {
  readonly taken: number;
  /** Whether no unsent delivery is left. */
  readonly isAll: boolean;
}

/**
 * Reverts up to `limit` deliveries of a replay that no process has claimed, the newest first, because the oldest are sent next. Passes
 * over deliveries that another transaction has locked. An attempt in progress continues: the receiver may have it.
 */
export async function takeBackReplayed(
  tx: Tenant<Tables>,
  subscriptionId: string,
  replayId: string,
  limit: number,
): Promise<TakenBack> {
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
