// Changes, deletes and re-keys subscriptions, in short transactions. What that means for the deliveries that wait is noted
// there and done after it, batch by batch (`reconciliation/`).
import type { Cause } from "@tradepost/messaging";
import { type Kysely, sql, type Transaction } from "kysely";
import { requestReconciliation } from "../reconciliation/reconciliation-store.ts";
import { recordAudit } from "../record-audit.ts";
import type { Tables } from "../tables.ts";
import { subscriptionOf } from "./subscription-store.ts";

export interface SubscriptionChange {
  readonly name?: string | undefined;
  readonly url?: string | undefined;
  readonly events?: string[] | undefined;
  readonly active?: boolean | undefined;
}

/**
 * Out: the subscription after the change, or null where the tenant has none of this id. Once it has
 * committed, nothing of a paused one is sent; resuming lets the feed send what waits, oldest first and no faster than the
 * window.
 */
export async function changeSubscription(
  db: Kysely<Tables>,
  id: string,
  change: SubscriptionChange,
  cause: Cause,
) {
  const { tenantId } = cause.principal;
  return await db.transaction().execute(async (tx) => {
    const before = await lockSubscription(tx, tenantId, id);
    if (before === undefined) return null;
    const after = {
      ...before,
      name: change.name ?? before.name,
      url: change.url ?? before.url,
      events: change.events ?? before.events,
      active: change.active ?? before.active,
    };
    await tx
      .updateTable("subscriptions")
      .set({ name: after.name, url: after.url, events: after.events, active: after.active })
      .where("tenant_id", "=", tenantId)
      .where("id", "=", id)
      .execute();
    if (before.active !== after.active) await requestReconciliation(tx, { tenantId, subscriptionId: id });
    await recordAudit(tx, "webhook_subscription.updated", subscription(id), { ...change }, cause);
    return subscriptionOf(after);
  });
}

/** Removes the subscription for good: what was pending will not be sent; the log of its deliveries stays. */
export async function deleteSubscription(db: Kysely<Tables>, id: string, cause: Cause): Promise<boolean> {
  const { tenantId } = cause.principal;
  return await db.transaction().execute(async (tx) => {
    if ((await lockSubscription(tx, tenantId, id)) === undefined) return false;
    await requestReconciliation(tx, { tenantId, subscriptionId: id });
    await tx.deleteFrom("subscriptions").where("tenant_id", "=", tenantId).where("id", "=", id).execute();
    await recordAudit(tx, "webhook_subscription.deleted", subscription(id), {}, cause);
    return true;
  });
}

/**
 * Signs with another secret from now on, and with the one before beside it for `overlapHours`; the one before that is
 * good no more. Out: the subscription, and until when the old secret signs; null where the tenant has none of this id.
 */
export async function replaceSecret(
  db: Kysely<Tables>,
  id: string,
  secret: { sealed: Buffer; preview: string; overlapHours: number },
  cause: Cause,
) {
  const { tenantId } = cause.principal;
  const { overlapHours } = secret;
  return await db.transaction().execute(async (tx) => {
    const before = await lockSubscription(tx, tenantId, id);
    if (before === undefined) return null;
    const hasOverlap = overlapHours > 0;
    const after = await tx
      .updateTable("subscriptions")
      .set({
        secret_sealed: secret.sealed,
        secret_preview: secret.preview,
        previous_secret_sealed: hasOverlap ? before.secret_sealed : null,
        previous_secret_until: hasOverlap ? sql<Date>`now() + ${overlapHours} * interval '1 hour'` : null,
      })
      .where("tenant_id", "=", tenantId)
      .where("id", "=", id)
      .returningAll()
      .executeTakeFirstOrThrow();
    await recordAudit(tx, "webhook_subscription.secret_rotated", subscription(id), { overlapHours }, cause);
    return { ...subscriptionOf(after), previousSecretUntil: after.previous_secret_until };
  });
}

function lockSubscription(tx: Transaction<Tables>, tenantId: string, id: string) {
  return tx
    .selectFrom("subscriptions")
    .selectAll()
    .where("tenant_id", "=", tenantId)
    .where("id", "=", id)
    .forUpdate()
    .executeTakeFirst();
}

function subscription(id: string) {
  return { type: "webhook_subscription", id } as const;
}
