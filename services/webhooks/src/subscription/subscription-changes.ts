// Changes and deletes subscriptions and replaces their secrets, in short transactions. A change that affects open
// deliveries requests a reconciliation in its transaction, which then updates them in batches (`reconciliation/`).
import { ApiError } from "@tradepost/http";
import type { Cause } from "@tradepost/messaging";
import type { Tenant, TransactionalTenant } from "@tradepost/postgres";
import { sql } from "kysely";
import { inheritStanding, isSameOrigin } from "../endpoint/inherit-standing.ts";
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
 * Returns the subscription after the change, or null if the tenant has no such subscription. After the commit no delivery
 * of a paused subscription is sent; deliveries of a resumed one are sent oldest first, as its endpoint's window allows.
 */
export async function changeSubscription(
  tenant: TransactionalTenant<Tables>,
  id: string,
  change: SubscriptionChange,
  cause: Cause,
) {
  return await tenant.transaction(async (tx) => {
    const before = await lockSubscription(tx, id);
    if (before === undefined) return null;
    const after = {
      ...before,
      name: change.name ?? before.name,
      url: change.url ?? before.url,
      events: change.events ?? before.events,
      active: change.active ?? before.active,
    };
    await tx.db
      .updateTable("subscriptions")
      .set({ name: after.name, url: after.url, events: after.events, active: after.active })
      .where("tenant_id", "=", tx.tenantId)
      .where("id", "=", id)
      .execute();
    if (!isSameOrigin(before.url, after.url)) await inheritStanding(tx, id, after.url);
    if (before.active !== after.active) await requestReconciliation(tx, id);
    const changes = { ...change };
    await recordAudit(tx, { action: "webhook_subscription.updated", target: targetOf(id), changes }, cause);
    return subscriptionOf(after);
  });
}

/** Returns false if there is no such subscription. Its open deliveries are cancelled; their log remains. */
export async function deleteSubscription(
  tenant: TransactionalTenant<Tables>,
  id: string,
  cause: Cause,
): Promise<boolean> {
  return await tenant.transaction(async (tx) => {
    if ((await lockSubscription(tx, id)) === undefined) return false;
    await requestReconciliation(tx, id);
    await tx.db
      .deleteFrom("subscriptions")
      .where("tenant_id", "=", tx.tenantId)
      .where("id", "=", id)
      .execute();
    await recordAudit(
      tx,
      { action: "webhook_subscription.deleted", target: targetOf(id), changes: {} },
      cause,
    );
    return true;
  });
}

/**
 * Deliveries are signed with the new secret from now on, and with the current one as well for `overlapHours`. Returns the
 * subscription, or null if the tenant has no such subscription. While an earlier secret still signs, it throws 409
 * `rotation_in_progress`: the receiver may know only that one. With `force` the earlier secret stops signing instead.
 */
export async function replaceSecret(
  tenant: TransactionalTenant<Tables>,
  id: string,
  secret: { sealed: Buffer; preview: string; overlapHours: number; force: boolean },
  cause: Cause,
) {
  const { overlapHours, force } = secret;
  return await tenant.transaction(async (tx) => {
    const before = await lockSubscription(tx, id);
    if (before === undefined) return null;
    const { previousSecretUntil } = subscriptionOf(before);
    if (previousSecretUntil !== null && !force) {
      throw new ApiError(
        "rotation_in_progress",
        `The previous secret signs until ${previousSecretUntil.toISOString()}. "force": true ends it now.`,
      );
    }
    const hasOverlap = overlapHours > 0;
    const after = await tx.db
      .updateTable("subscriptions")
      .set({
        secret_sealed: secret.sealed,
        secret_preview: secret.preview,
        previous_secret_sealed: hasOverlap ? before.secret_sealed : null,
        previous_secret_until: hasOverlap ? sql<Date>`now() + ${overlapHours} * interval '1 hour'` : null,
      })
      .where("tenant_id", "=", tx.tenantId)
      .where("id", "=", id)
      .returningAll()
      .executeTakeFirstOrThrow();
    const changes = { overlapHours, ...(force && { force }) };
    await recordAudit(
      tx,
      { action: "webhook_subscription.secret_rotated", target: targetOf(id), changes },
      cause,
    );
    return subscriptionOf(after);
  });
}

function lockSubscription(tx: Tenant<Tables>, id: string) {
  return tx.db
    .selectFrom("subscriptions")
    .selectAll()
    .where("tenant_id", "=", tx.tenantId)
    .where("id", "=", id)
    .forUpdate()
    .executeTakeFirst();
}

function targetOf(id: string) {
  return { type: "webhook_subscription", id } as const;
}
