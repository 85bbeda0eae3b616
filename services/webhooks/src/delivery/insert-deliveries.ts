// Inserts the deliveries of new events.
import type { Tenant } from "@tradepost/postgres";
import { sql } from "kysely";
import type { Tables } from "../tables.ts";

/** It waits for admission unless its subscription is paused. */
export async function insertDelivery(
  { db, tenantId }: Tenant<Tables>,
  delivery: { id: string; subscriptionId: string; eventId: string; type: string; isPaused: boolean },
): Promise<void> {
  await db
    .insertInto("deliveries")
    .values({
      tenant_id: tenantId,
      id: delivery.id,
      subscription_id: delivery.subscriptionId,
      event_id: delivery.eventId,
      type: delivery.type,
      ...(delivery.isPaused
        ? { status: "paused", next_attempt_at: null, queue_state: null }
        : { status: "pending", next_attempt_at: sql<Date>`now()`, queue_state: "waiting" }),
      enqueued_at: null,
    })
    .execute();
}

interface ReplayedEvent {
  readonly deliveryId: string;
  readonly eventId: string;
  readonly type: string;
}

/** Creates a delivery for each event of a replay. Returns how many events had none until now. */
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
