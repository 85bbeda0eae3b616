// What an admin did, on its way to the tenant's audit log: written in the transaction of the deed itself, so that one is
// never without the other (contract §2, "Audit log").
import { type Cause, outboxRow } from "@tradepost/messaging";
import type { Transaction } from "kysely";
import type { Tables } from "./tables.ts";

export async function recordAudit(
  tx: Transaction<Tables>,
  action: `${"webhook_subscription" | "webhook_delivery" | "webhook_recovery"}.${string}`,
  target: { type: "webhook_subscription" | "webhook_delivery"; id: string },
  changes: Record<string, unknown>,
  cause: Cause,
): Promise<void> {
  const entry = outboxRow(action, target.id, { target, changes }, cause);
  await tx.insertInto("outbox").values(entry).execute();
}
