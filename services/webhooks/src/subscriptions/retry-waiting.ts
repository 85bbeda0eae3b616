// Makes all deliveries that wait for a retry at one endpoint due now, once its receiver works again (interface §17).
import { requireMatch } from "@tradepost/http";
import type { Cause } from "@tradepost/messaging";
import type { Tenant } from "@tradepost/postgres";
import { sql } from "kysely";
import { recordAudit } from "../record-audit.ts";
import type { Tables } from "../tables.ts";
import { WAITING } from "./subscription-store.ts";

/** Throws 412 `version_mismatch`. */
export async function countWaiting(
  { db, tenantId }: Tenant<Tables>,
  id: string,
  ifMatch: string | undefined,
): Promise<number | null> {
  const subscription = await db
    .selectFrom("subscriptions")
    .select(["version", WAITING])
    .where("tenant_id", "=", tenantId)
    .where("id", "=", id)
    .where("url", "is not", null)
    .executeTakeFirst();
  if (subscription === undefined) return null;
  requireMatch(ifMatch, subscription.version);
  return subscription.waiting;
}

const BATCH_DELIVERIES = 5_000;

/** The time is text, because it has more digits than a Date. */
export interface Place {
  readonly createdAt: string;
  readonly id: string;
}

const FIRST: Place = { createdAt: "-infinity", id: "00000000-0000-0000-0000-000000000000" };

/**
 * Makes the next batch due, oldest first. Returns the position it has reached, or null after the last batch. Attempts are not reset; a
 * message that still waits in a retry queue is ignored when it arrives.
 */
export async function makeDue(tx: Tenant<Tables>, id: string, after: Place = FIRST): Promise<Place | null> {
  const next = sql`
      select ctid as tid, created_at, id from deliveries
       where tenant_id = ${tx.tenantId} and subscription_id = ${id} and status in ('pending', 'retrying')
         and next_attempt_at > now() and (locked_until is null or locked_until < now())
         and (created_at, id) > (${after.createdAt}::timestamptz, ${after.id}::uuid)
       order by created_at, id
       limit ${BATCH_DELIVERIES}`;
  // First wait for transactions that change these deliveries, for example when their messages return from a retry queue. Rows are
  // locked in the order of their ids, as everywhere. A separate statement, so that the next one sees each row after the lock.
  await sql`
    select from (select id from (${next}) next order by id) as next
     cross join lateral (
       select from deliveries where deliveries.tenant_id = ${tx.tenantId} and deliveries.id = next.id limit 1
          for no key update
     ) delivery`.execute(tx.db);
  const { rows } = await sql<Place & { count: number }>`
    with waiting as (
      ${next}
         for no key update skip locked
    ), due as (
      update deliveries set queue_state = 'waiting', next_attempt_at = now(), locked_until = null
        from waiting
       where deliveries.ctid = waiting.tid
    )
    select created_at::text as "createdAt", id, (select count(*)::integer from waiting) as count
      from waiting
     order by created_at desc, id desc
     limit 1`.execute(tx.db);
  return rows[0]?.count === BATCH_DELIVERIES ? rows[0] : null;
}

/** Call it after `waiting` deliveries have become due. */
export async function endHold(
  tx: Tenant<Tables>,
  id: string,
  waiting: number,
  cause: Cause,
): Promise<boolean> {
  const { numUpdatedRows } = await tx.db
    .updateTable("subscriptions")
    .set({ held_until: null })
    .where("tenant_id", "=", tx.tenantId)
    .where("id", "=", id)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) return false;
  const target = { type: "webhook_subscription", id } as const;
  await recordAudit(tx, { action: "webhook_subscription.retried", target, changes: { waiting } }, cause);
  return true;
}
