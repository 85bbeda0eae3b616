// Makes all deliveries that wait for a retry at one endpoint due now, once its receiver works again (interface §17).
import { notFound, requireMatch } from "@tradepost/http";
import type { Cause } from "@tradepost/messaging";
import { recordAudit } from "../record-audit.ts";
import type { Tenant } from "../tables.ts";
import { waiting } from "./subscription-store.ts";

/** Throws 412 `version_mismatch`. */
export async function countWaiting(
  { db, tenantId }: Tenant,
  id: string,
  ifMatch: string | undefined,
): Promise<number | null> {
  const subscription = await db
    .selectFrom("subscriptions")
    .select(["version", waiting()])
    .where("tenant_id", "=", tenantId)
    .where("id", "=", id)
    .where("url", "is not", null)
    .executeTakeFirst();
  if (subscription === undefined) return null;
  requireMatch(ifMatch, subscription.version);
  return subscription.waiting;
}

/** Call it after the `waiting` deliveries have become due. Throws 404 if the subscription was deleted meanwhile. */
export async function endHold(tx: Tenant, id: string, waiting: number, cause: Cause): Promise<void> {
  const { numUpdatedRows } = await tx.db
    .updateTable("subscriptions")
    .set({ held_until: null })
    .where("tenant_id", "=", tx.tenantId)
    .where("id", "=", id)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) throw notFound("subscription");
  const target = { type: "webhook_subscription", id } as const;
  await recordAudit(tx, "webhook_subscription.retried", target, cause, { waiting });
}
