// Reconciliations as they stand in the database: subscriptions that were paused, resumed or deleted, and how far their open
// deliveries have been brought in line. The subscription itself says what to bring them to; the note only says that some
// may differ.

import { type Tenant, tenantOf } from "@tradepost/postgres";
import { failPoint } from "@tradepost/runtime/fail-point";
import { type Kysely, sql } from "kysely";
import { cancelDeliveries, pauseDeliveries, resumeDeliveries } from "../delivery/open-deliveries.ts";
import { inTenantTransaction } from "../in-tenant-transaction.ts";
import type { Tables } from "../tables.ts";

export interface SubscriptionId {
  readonly tenantId: string;
  readonly subscriptionId: string;
}

/** `busy`: another replica holds the note. `gone`: there is no note. */
export type Progress = "advanced" | "finished" | "busy" | "gone";

// Some 25 ms of locks on rows that hardly anybody else wants.
const BATCH_DELIVERIES_MAX = 500;

/** Belongs in the transaction that changes the subscription, after its row was locked. */
export async function requestReconciliation(tx: Tenant<Tables>, subscriptionId: string): Promise<void> {
  await sql`
    insert into reconciliations (tenant_id, subscription_id) values (${tx.tenantId}, ${subscriptionId})
    on conflict (tenant_id, subscription_id) do update
      set requested_at = default, after_created_at = default, after_id = default, advanced_at = default`.execute(
    tx.db,
  );
}

/** Least recently advanced first, so that a small one does not wait for a large one to end. */
export async function findReconciliations(db: Kysely<Tables>, limit: number): Promise<SubscriptionId[]> {
  return await db
    .selectFrom("reconciliations")
    .select(["tenant_id as tenantId", "subscription_id as subscriptionId"])
    .orderBy("advanced_at")
    .limit(limit)
    .execute();
}

/**
 * Brings the next deliveries of a subscription in line, oldest first, and removes the note after the last.
 *
 * The lock on the subscription makes a concurrent pause, resume or deletion wait for this batch, and this batch see what
 * they came to; it conflicts with nothing else. It comes before the note's, as in their transactions. Deliveries that are
 * made meanwhile are in line from the start, for they are made under a lock on the subscription too.
 */
export async function reconcileBatch(
  db: Kysely<Tables>,
  { tenantId, subscriptionId }: SubscriptionId,
  { waits }: { waits: boolean },
): Promise<Progress> {
  const progress = await inTenantTransaction(tenantOf(db, tenantId), async (tx): Promise<Progress> => {
    const subscription = await tx.db
      .selectFrom("subscriptions")
      .select("active")
      .where("tenant_id", "=", tenantId)
      .where("id", "=", subscriptionId)
      .forKeyShare()
      .executeTakeFirst();
    const note = await lockNote(tx, subscriptionId, waits);
    if (note === undefined) return waits ? "gone" : "busy";
    const batch = await nextBatch(tx, subscriptionId, note);
    const ids = batch.map(({ id }) => id);
    if (subscription === undefined) await cancelDeliveries(tx, subscriptionId, ids, note.requestedAt);
    else if (subscription.active) await resumeDeliveries(tx, subscriptionId, ids);
    else await pauseDeliveries(tx, subscriptionId, ids);
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

interface Note {
  readonly requestedAt: Date;
  readonly afterCreatedAt: string;
  readonly afterId: string;
}

async function lockNote(
  { db, tenantId }: Tenant<Tables>,
  subscriptionId: string,
  waits: boolean,
): Promise<Note | undefined> {
  let note = db
    .selectFrom("reconciliations")
    .select(["requested_at as requestedAt", "after_id as afterId"])
    // As text: the date before all others has no other form here.
    .select(sql<string>`after_created_at::text`.as("afterCreatedAt"))
    .where("tenant_id", "=", tenantId)
    .where("subscription_id", "=", subscriptionId)
    .forUpdate();
  if (!waits) note = note.skipLocked();
  return await note.executeTakeFirst();
}

/** Whatever their status: so each batch reads as much as any other, however little of it has to be changed. */
async function nextBatch(
  { db, tenantId }: Tenant<Tables>,
  subscriptionId: string,
  { afterCreatedAt, afterId }: Note,
): Promise<{ id: string; createdAt: Date }[]> {
  return await db
    .selectFrom("deliveries")
    .select(["id", "created_at as createdAt"])
    .where("tenant_id", "=", tenantId)
    .where("subscription_id", "=", subscriptionId)
    .where(sql<boolean>`(created_at, id) > (${afterCreatedAt}::timestamptz, ${afterId}::uuid)`)
    .orderBy("created_at")
    .orderBy("id")
    .limit(BATCH_DELIVERIES_MAX)
    .execute();
}
