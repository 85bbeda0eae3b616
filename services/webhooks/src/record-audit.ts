// Records what an admin did for the tenant's audit log, in the transaction of the change itself, so that neither exists
// without the other (interface §2, "Audit log").
import { auditData, type Cause, outboxRow } from "@tradepost/messaging";
import type { Tenant } from "@tradepost/postgres";
import type { Tables } from "./tables.ts";

interface AuditEntry {
  readonly action: `webhook_${"subscription" | "listener" | "delivery" | "recovery"}.${string}`;
  readonly target: {
    readonly type: `webhook_${"subscription" | "listener" | "delivery"}`;
    readonly id: string;
  };
  readonly changes: Readonly<Record<string, unknown>>;
}

export async function recordAudit(tx: Tenant<Tables>, entry: AuditEntry, cause: Cause): Promise<void> {
  const row = outboxRow(entry.action, entry.target.id, auditData(entry, cause), cause);
  await tx.db.insertInto("outbox").values(row).execute();
}
