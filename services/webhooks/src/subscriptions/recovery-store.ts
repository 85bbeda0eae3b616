// Stores recoveries and advances them batch by batch.
import { requireMatch } from "@tradepost/http";
import { type Tenant, tenantOf } from "@tradepost/postgres";
import { newId } from "@tradepost/runtime";
import { type Kysely, sql } from "kysely";
import { lockForRestart, restartDeliveries } from "../delivery/delivery.ts";
import { recordAudit } from "../record-audit.ts";
import type { Conditions } from "../route-context.ts";
import type { Tables } from "../tables.ts";

/** Deliveries that failed at or after `since` and before `until`. A missing or future `until` means now. */
export interface RecoveryPeriod {
  readonly since: Date;
  readonly until?: Date | undefined;
}

const BATCH_DELIVERIES_MAX = 500;

/**
 * Returns how many deliveries a recovery would restart, or null if the tenant has no such subscription.
 *
 * @throws 412 `version_mismatch`.
 */
export async function countFailed(
  { db, tenantId }: Tenant<Tables>,
  subscriptionId: string,
  { since, until }: RecoveryPeriod,
  ifMatch: string | undefined,
): Promise<number | null> {
  const found = await db
    .selectFrom("subscriptions")
    .select("version")
    .select((is) =>
      is
        .selectFrom("delivery_log")
        .select((it) => it.fn.countAll<string>().as("count"))
        .whereRef("delivery_log.tenant_id", "=", "subscriptions.tenant_id")
        .whereRef("delivery_log.subscription_id", "=", "subscriptions.id")
        .where("status", "=", sql.lit("failed"))
        .where("completed_at", ">=", since)
        .where("completed_at", "<", untilNow(until))
        .as("matched"),
    )
    .where("tenant_id", "=", tenantId)
    .where("id", "=", subscriptionId)
    .where("url", "is not", null)
    .executeTakeFirst();
  if (found === undefined) return null;
  requireMatch(ifMatch, found.version);
  return Number(found.matched);
}

/**
 * Restarts no delivery yet. Returns null if the tenant has no such subscription.
 *
 * @throws 412 `version_mismatch`.
 */
export async function createRecovery(
  tx: Tenant<Tables>,
  subscriptionId: string,
  period: RecoveryPeriod,
  { ifMatch, cause }: Conditions,
): Promise<{ id: string; matched: number } | null> {
  // Counts before it locks, since there may be hundreds of thousands of deliveries.
  const matched = await countFailed(tx, subscriptionId, period, ifMatch);
  const subscription = await lockForRestart(tx, subscriptionId);
  if (matched === null || subscription === null) return null;
  requireMatch(ifMatch, subscription.version);
  const id = newId();
  await tx.db
    .insertInto("recoveries")
    .values({
      tenant_id: tx.tenantId,
      id,
      subscription_id: subscriptionId,
      since: period.since,
      until: untilNow(period.until),
      matched,
      finished_at: null,
    })
    .execute();
  const target = { type: "webhook_subscription", id: subscriptionId } as const;
  const changes = { recoveryId: id, since: period.since, until: period.until ?? null, matched };
  await recordAudit(tx, { action: "webhook_recovery.started", target, changes }, cause);
  return { id, matched };
}

/** Returns null if the tenant has no such recovery. */
export async function findRecovery({ db, tenantId }: Tenant<Tables>, id: string) {
  const found = await db
    .selectFrom("recoveries")
    .select(["id", "subscription_id as subscriptionId", "since", "until", "matched", "requeued"])
    .select(["created_at as createdAt", "finished_at as finishedAt"])
    .where("tenant_id", "=", tenantId)
    .where("id", "=", id)
    .executeTakeFirst();
  return found ?? null;
}

/**
 * Restarts the next batch of a recovery's deliveries, oldest first, and counts them in the same transaction. A restarted
 * delivery is no longer failed; if it fails again, it does so after the recovery's period, so it is not restarted twice.
 * Returns null if the recovery is finished, or was deleted with its subscription.
 */
export async function advanceRecovery(
  db: Kysely<Tables>,
  id: string,
): Promise<{ requeued: number; isFinished: boolean } | null> {
  return await db.transaction().execute(async (transaction) => {
    const found = await transaction
      .selectFrom("recoveries")
      .select(["tenant_id as tenantId", "subscription_id as subscriptionId"])
      .where("id", "=", id)
      .executeTakeFirst();
    if (found === undefined) return null;
    const { subscriptionId } = found;
    const tx = tenantOf(transaction, found.tenantId);
    if ((await lockForRestart(tx, subscriptionId)) === null) return null;
    // Read again under the lock: another replica may have advanced it.
    const recovery = await tx.db
      .selectFrom("recoveries")
      .selectAll()
      .where("id", "=", id)
      .where("finished_at", "is", null)
      .forUpdate()
      .executeTakeFirst();
    if (recovery === undefined) return null;
    const deliveryIds = await nextFailed(tx, recovery);
    const count = (await restartDeliveries(tx, subscriptionId, deliveryIds)) ?? 0;
    const isFinished = deliveryIds.length === 0;
    const requeued = recovery.requeued + count;
    await tx.db
      .updateTable("recoveries")
      .set({ requeued, ...(isFinished && { finished_at: sql<Date>`now()` }) })
      .where("tenant_id", "=", recovery.tenant_id)
      .where("id", "=", id)
      .execute();
    return { requeued, isFinished };
  });
}

/** Only recoveries older than `ageMs`, so that no replica still runs them for a waiting caller. */
export async function findUnfinished(db: Kysely<Tables>, ageMs: number): Promise<string[]> {
  const rows = await db
    .selectFrom("recoveries")
    .select("id")
    .where("finished_at", "is", null)
    .where("created_at", "<", sql<Date>`now() - ${ageMs} * interval '1 ms'`)
    .orderBy("id")
    .limit(100)
    .execute();
  return rows.map(({ id }) => id);
}

/** The lock of `lockForRestart` keeps others from restarting these deliveries. */
async function nextFailed(
  { db, tenantId }: Tenant<Tables>,
  recovery: { subscription_id: string; since: Date; until: Date },
): Promise<string[]> {
  const rows = await db
    .selectFrom("delivery_log")
    .select("id")
    .where("tenant_id", "=", tenantId)
    .where("subscription_id", "=", recovery.subscription_id)
    .where("status", "=", sql.lit("failed"))
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
