// Recoveries as they stand in the database: what each is to send again, and how far it has come.
import type { Cause } from "@tradepost/messaging";
import { newId } from "@tradepost/runtime";
import { type Kysely, sql, type Transaction } from "kysely";
import { lockToSendAgain, type SubscriptionId, sendAgain } from "../delivery/change-deliveries.ts";
import { recordAudit } from "../record-audit.ts";
import type { Tables } from "../tables.ts";

/** Deliveries that failed at or after `since` and before `until`: now, where it is missing or still to come. */
export interface RecoveryWindow {
  readonly since: Date;
  readonly until?: Date | undefined;
}

const BATCH_DELIVERIES_MAX = 500;

/** Out: how many failed deliveries it would send again, or null where the tenant has no such subscription. */
export async function countFailed(
  db: Kysely<Tables>,
  { tenantId, subscriptionId }: SubscriptionId,
  { since, until }: RecoveryWindow,
): Promise<number | null> {
  const found = await db
    .selectFrom("subscriptions")
    .select((is) =>
      is
        .selectFrom("delivery_log")
        .select((it) => it.fn.countAll<string>().as("count"))
        .whereRef("delivery_log.tenant_id", "=", "subscriptions.tenant_id")
        .whereRef("delivery_log.subscription_id", "=", "subscriptions.id")
        .where("status", "=", "failed")
        .where("completed_at", ">=", since)
        .where("completed_at", "<", untilNow(until))
        .as("matched"),
    )
    .where("tenant_id", "=", tenantId)
    .where("id", "=", subscriptionId)
    .executeTakeFirst();
  return found === undefined ? null : Number(found.matched);
}

/** Out: the recovery, nothing sent again yet, or null where the tenant has no such subscription. */
export async function createRecovery(
  db: Kysely<Tables>,
  of: SubscriptionId,
  window: RecoveryWindow,
  cause: Cause,
): Promise<{ id: string; matched: number } | null> {
  return await db.transaction().execute(async (tx) => {
    // Before any lock: there may be hundreds of thousands to count.
    const matched = await countFailed(tx, of, window);
    if (matched === null || (await lockToSendAgain(tx, of)) === null) return null;
    const id = newId();
    await tx
      .insertInto("recoveries")
      .values({
        tenant_id: of.tenantId,
        id,
        subscription_id: of.subscriptionId,
        since: window.since,
        until: untilNow(window.until),
        matched,
        finished_at: null,
      })
      .execute();
    const target = { type: "webhook_subscription", id: of.subscriptionId } as const;
    const changes = { recoveryId: id, since: window.since, until: window.until ?? null, matched };
    await recordAudit(tx, "webhook_recovery.started", target, changes, cause);
    return { id, matched };
  });
}

/**
 * Sends the next batch of a recovery again, oldest first, and notes it in the same transaction: what was sent again has
 * failed no more, and whatever fails anew fails too late to be meant. Out: how it stands, or null where it is finished
 * or gone with its subscription.
 */
export async function advanceRecovery(
  db: Kysely<Tables>,
  id: string,
): Promise<{ requeued: number; isFinished: boolean } | null> {
  return await db.transaction().execute(async (tx) => {
    const of = await tx
      .selectFrom("recoveries")
      .select(["tenant_id as tenantId", "subscription_id as subscriptionId"])
      .where("id", "=", id)
      .executeTakeFirst();
    if (of === undefined || (await lockToSendAgain(tx, of)) === null) return null;
    // As whoever held the lock before has left it.
    const recovery = await tx
      .selectFrom("recoveries")
      .selectAll()
      .where("id", "=", id)
      .where("finished_at", "is", null)
      .forUpdate()
      .executeTakeFirst();
    if (recovery === undefined) return null;
    const deliveryIds = await nextFailed(tx, recovery);
    const count = (await sendAgain(tx, of, deliveryIds)) ?? 0;
    const isFinished = deliveryIds.length === 0;
    const requeued = recovery.requeued + count;
    await tx
      .updateTable("recoveries")
      .set({ requeued, ...(isFinished && { finished_at: sql<Date>`now()` }) })
      .where("tenant_id", "=", recovery.tenant_id)
      .where("id", "=", id)
      .execute();
    return { requeued, isFinished };
  });
}

/** Those that whoever was asked for them has left: they died, or answered their caller. */
export async function findUnfinished(db: Kysely<Tables>, leftAfterMs: number): Promise<string[]> {
  const rows = await db
    .selectFrom("recoveries")
    .select("id")
    .where("finished_at", "is", null)
    .where("created_at", "<", sql<Date>`now() - ${leftAfterMs} * interval '1 ms'`)
    .orderBy("id")
    .limit(100)
    .execute();
  return rows.map(({ id }) => id);
}

/** Under the lock of `lockToSendAgain` nobody else sends them again meanwhile. */
async function nextFailed(
  tx: Transaction<Tables>,
  recovery: { tenant_id: string; subscription_id: string; since: Date; until: Date },
): Promise<string[]> {
  const rows = await tx
    .selectFrom("delivery_log")
    .select("id")
    .where("tenant_id", "=", recovery.tenant_id)
    .where("subscription_id", "=", recovery.subscription_id)
    .where("status", "=", "failed")
    .where("completed_at", ">=", recovery.since)
    .where("completed_at", "<", recovery.until)
    .orderBy("completed_at")
    .orderBy("id")
    .limit(BATCH_DELIVERIES_MAX)
    .execute();
  return rows.map(({ id }) => id);
}

function untilNow(until: Date | undefined) {
  return sql<Date>`least(${until ?? null}::timestamptz(3), now()::timestamptz(3))`;
}
