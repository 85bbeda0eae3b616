// Advances reconciliations batch by batch. A reconciliation's row has only its progress; the subscription's state decides whether
// open deliveries are paused, resumed or cancelled. Those of types no longer offered are cancelled.
import { tenantOf } from "@tradepost/postgres";
import { failPoint } from "@tradepost/runtime/fail-point";
import { type Kysely, sql } from "kysely";
import { cancelDeliveries, pauseDeliveries, resumeDeliveries } from "../delivery/delivery.ts";
import { stillOffered } from "../offered-types.ts";
import type { Tables, Tenant } from "../tables.ts";

export interface SubscriptionId {
  readonly tenantId: string;
  readonly subscriptionId: string;
}

/** `busy`: another replica works on it. `missing`: it does not exist. */
export type Progress = "advanced" | "finished" | "busy" | "missing";

// A change of the subscription waits for the batch. A batch that waits longer for a lock fails and is repeated.
const SET_LOCK_TIMEOUT = sql`set local lock_timeout = '1s'`;
// A batch locks its rows for about 25 ms; hardly any other statement needs them.
const BATCH_DELIVERIES_MAX = 500;

/** Call it in the transaction that changes the subscription, after locking its row. */
export async function requestReconciliation(tx: Tenant, subscriptionId: string): Promise<void> {
  await sql`
    insert into reconciliations (tenant_id, subscription_id) values (${tx.tenantId}, ${subscriptionId})
    on conflict (tenant_id, subscription_id) do update
      set requested_at = default, after_created_at = default, after_id = default, advanced_at = default`.execute(
    tx.db,
  );
}

/** The least recently advanced first, so that a small one does not wait until a large one ends. */
export async function findReconciliations(db: Kysely<Tables>, limit: number): Promise<SubscriptionId[]> {
  return await db
    .selectFrom("reconciliations")
    .select(["tenant_id as tenantId", "subscription_id as subscriptionId"])
    .orderBy("advanced_at")
    .limit(limit)
    .execute();
}

/**
 * Takes the oldest deliveries first, and deletes the reconciliation after the last. `waits`: for another replica's batch.
 *
 * The lock on the subscription, taken before the reconciliation's, makes a concurrent pause, resume or deletion and this batch
 * wait for each other. New deliveries need no reconciliation: they are inserted under that lock.
 */
export async function reconcileBatch(
  db: Kysely<Tables>,
  { tenantId, subscriptionId }: SubscriptionId,
  { waits }: { waits: boolean },
): Promise<Progress> {
  const progress = await tenantOf(db, tenantId).transaction(async (tx): Promise<Progress> => {
    await SET_LOCK_TIMEOUT.execute(tx.db);
    const subscription = await tx.db
      .selectFrom("subscriptions")
      .select("active")
      .where("tenant_id", "=", tenantId)
      .where("id", "=", subscriptionId)
      .forKeyShare()
      .executeTakeFirst();
    const reconciliation = await lockReconciliation(tx, subscriptionId, waits);
    if (reconciliation === undefined) return waits ? "missing" : "busy";
    const batch = await nextBatch(tx, subscriptionId, reconciliation);
    const offered = await stillOffered(tx, [...new Set(batch.map(({ type }) => type))]);
    const [ids, gone] = [[], []] as [string[], string[]];
    for (const { id, type } of batch) (subscription && offered.has(type) ? ids : gone).push(id);
    if (gone.length > 0) await cancelDeliveries(tx, subscriptionId, gone, reconciliation.requestedAt);
    if (ids.length > 0 && subscription?.active) await resumeDeliveries(tx, subscriptionId, ids);
    if (ids.length > 0 && !subscription?.active) await pauseDeliveries(tx, subscriptionId, ids);
    const last = batch.at(-1);
    if (last === undefined || batch.length < BATCH_DELIVERIES_MAX) {
      await tx.db
        .deleteFrom("reconciliations")
        .where("tenant_id", "=", tenantId)
        .where("subscription_id", "=", subscriptionId)
        .execute();
      return "finished";
    }
    await tx.db
      .updateTable("reconciliations")
      .set({ after_created_at: last.createdAt, after_id: last.id, advanced_at: sql<Date>`clock_timestamp()` })
      .where("tenant_id", "=", tenantId)
      .where("subscription_id", "=", subscriptionId)
      .execute();
    return "advanced";
  });
  if (progress === "advanced" || progress === "finished") failPoint("reconcile.batch-committed");
  return progress;
}

async function lockReconciliation({ db, tenantId }: Tenant, subscriptionId: string, waits: boolean) {
  let query = db
    .selectFrom("reconciliations")
    .select(["requested_at as requestedAt", "after_id as afterId"])
    // Text, because it starts as -infinity.
    .select(sql<string>`after_created_at::text`.as("afterCreatedAt"))
    .where("tenant_id", "=", tenantId)
    .where("subscription_id", "=", subscriptionId)
    .forUpdate();
  if (!waits) query = query.skipLocked();
  return await query.executeTakeFirst();
}

/** Reads every status, so that each batch has the same size. */
async function nextBatch(
  { db, tenantId }: Tenant,
  subscriptionId: string,
  { afterCreatedAt, afterId }: { afterCreatedAt: string; afterId: string },
) {
  return await db
    .selectFrom("deliveries")
    .select(["id", "type", "created_at as createdAt"])
    .where("tenant_id", "=", tenantId)
    .where("subscription_id", "=", subscriptionId)
    .where(sql<boolean>`(created_at, id) > (${afterCreatedAt}::timestamptz, ${afterId}::uuid)`)
    .orderBy("created_at")
    .orderBy("id")
    .limit(BATCH_DELIVERIES_MAX)
    .execute();
}
