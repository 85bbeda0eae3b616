// Changes a batch of one subscription's deliveries: pauses, resumes or cancels those that are open, or sends some again.
// What each becomes stands in `delivery.ts`. Rows are locked in the order of their ids, as dispatch locks them: in any
// other, the two would wait for each other.
import { type RawBuilder, sql, type Transaction } from "kysely";
import type { Tables } from "../tables.ts";
import { type Happening, transitions } from "./delivery.ts";

export interface SubscriptionId {
  readonly tenantId: string;
  readonly subscriptionId: string;
}

export async function pauseDeliveries(
  tx: Transaction<Tables>,
  of: SubscriptionId,
  ids: readonly string[],
): Promise<void> {
  await sql`
    with ${life("paused")}, ${locked(of, ids)}, chosen as (select locked.*, after from locked join life on before = status)
    update deliveries set status = after, next_attempt_at = null, queue_state = null
      from chosen
     where deliveries.tenant_id = chosen.tenant_id and deliveries.id = chosen.id`.execute(tx);
}

/**
 * They wait to be let in, and have been due since they were made: so they go oldest first, also among others of the
 * subscription that a pause never reached.
 */
export async function resumeDeliveries(
  tx: Transaction<Tables>,
  of: SubscriptionId,
  ids: readonly string[],
): Promise<void> {
  await sql`
    with ${life("resumed before its first attempt", "resumed between attempts")}, ${locked(of, ids)}, chosen as (
      select locked.*, after
        from locked
        join life on before = status
                 and happening = case when attempt_count = 0 then 'resumed before its first attempt'
                                      else 'resumed between attempts' end
    )
    update deliveries set status = after, next_attempt_at = chosen.created_at, queue_state = 'waiting'
      from chosen
     where deliveries.tenant_id = chosen.tenant_id and deliveries.id = chosen.id`.execute(tx);
}

/** In: when they were cancelled, which is when their subscription was deleted. */
export async function cancelDeliveries(
  tx: Transaction<Tables>,
  of: SubscriptionId,
  ids: readonly string[],
  at: Date,
): Promise<void> {
  await sql`
    with ${life("cancelled")}, ${locked(of, ids)},
    chosen as (select locked.*, after from locked join life on before = status),
    gone as (
      delete from deliveries using chosen
       where deliveries.tenant_id = chosen.tenant_id and deliveries.id = chosen.id
    )
    insert into delivery_log (tenant_id, id, subscription_id, event_id, type, status, attempt_count, generation,
                              created_at, completed_at)
    select tenant_id, id, subscription_id, event_id, type, after, attempt_count, generation, created_at,
           ${at}::timestamptz
      from chosen`.execute(tx);
}

/**
 * Whoever sends deliveries of a subscription again takes this before any other lock, and then chooses them: redeliveries,
 * redrives and recoveries of one subscription so go one after the other, and none is chosen by two. The subscription is
 * locked first, as everywhere, so that a pause or a deletion is seen as it will be. Out: null where it is gone.
 */
export async function lockToSendAgain(
  tx: Transaction<Tables>,
  { tenantId, subscriptionId }: SubscriptionId,
): Promise<{ active: boolean } | null> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${subscriptionId}, 0))`.execute(tx);
  const subscription = await tx
    .selectFrom("subscriptions")
    .select("active")
    .where("tenant_id", "=", tenantId)
    .where("id", "=", subscriptionId)
    .forShare()
    .executeTakeFirst();
  return subscription ?? null;
}

/**
 * Gives each a fresh set of attempts, whatever became of it before: the same id, the next generation. Out: how many
 * there were, or null where the subscription is gone, and they have nowhere to go.
 */
export async function sendAgain(
  tx: Transaction<Tables>,
  of: SubscriptionId,
  deliveryIds: readonly string[],
): Promise<number | null> {
  const subscription = await lockToSendAgain(tx, of);
  if (subscription === null) return null;
  const happening = subscription.active ? "redelivered" : "redelivered while paused";
  const ids = anyOf(deliveryIds);
  const { rows } = await sql<{ id: string }>`
    with ${life(happening)},
    logged as (
      select delivery_log.*, after
        from delivery_log join life on before = status
       where tenant_id = ${of.tenantId} and subscription_id = ${of.subscriptionId} and id = ${ids}
       order by tenant_id, id
         for update of delivery_log
    ), unlogged as (
      delete from delivery_log using logged
       where delivery_log.tenant_id = logged.tenant_id and delivery_log.id = logged.id
         and delivery_log.completed_at = logged.completed_at
    ), dead as (
      delete from dead_letters
       where tenant_id = ${of.tenantId} and subscription_id = ${of.subscriptionId} and delivery_id = ${ids}
      returning *
    ), closed as (
      select id, event_id, type, generation, created_at, after from logged
       union -- A dead letter outlives its row in the log.
      select delivery_id, event_id, type, generation, created_at, after from dead join life on before = 'failed'
    ), reopened as (
      insert into deliveries (tenant_id, id, subscription_id, event_id, type, status, generation, created_at,
                              next_attempt_at, queue_state)
      select ${of.tenantId}, id, ${of.subscriptionId}, event_id, type, after, generation + 1, created_at,
             ${onlyIfPending("now()")}, ${onlyIfPending("'waiting'")}
        from closed
      returning id
    ), ${locked(of, deliveryIds)}, open as (
      select locked.*, after from locked join life on before = status
    ), restarted as (
      update deliveries
         set status = after, attempt_count = 0, generation = deliveries.generation + 1, enqueued_at = null,
             locked_until = null, next_attempt_at = ${onlyIfPending("now()")}, queue_state = ${onlyIfPending("'waiting'")}
        from open
       where deliveries.tenant_id = open.tenant_id and deliveries.id = open.id
      returning deliveries.id
    )
    select id from reopened union all select id from restarted`.execute(tx);
  return rows.length;
}

function life(...happenings: Happening[]): RawBuilder<unknown> {
  const { happening, before, after } = transitions(...happenings);
  return sql`life (happening, before, after) as (
    select * from unnest(${happening}::text[], ${before}::text[], ${after}::text[]))`;
}

// What each becomes is told from its status once it is locked: it may change until then.
function locked({ tenantId, subscriptionId }: SubscriptionId, ids: readonly string[]): RawBuilder<unknown> {
  return sql`locked as (
    select * from deliveries
     where tenant_id = ${tenantId} and subscription_id = ${subscriptionId} and id = ${anyOf(ids)}
     order by tenant_id, id
       for update)`;
}

function anyOf(ids: readonly string[]): RawBuilder<unknown> {
  return sql`any(${ids}::uuid[])`;
}

function onlyIfPending(value: string): RawBuilder<unknown> {
  return sql`case when after = 'pending' then ${sql.raw(value)} end`;
}
