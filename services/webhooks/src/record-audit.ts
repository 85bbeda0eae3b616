// Records an admin's actions for the tenant's audit log, in the transaction of the change (interface §2, "Audit log"). The relay
// publishes them to the gateway.
import { auditOnlyRow, type Cause, type Relay, startRelay } from "@tradepost/messaging";
import type { Tenant } from "@tradepost/postgres";
import type { Tables } from "./tables.ts";

interface AuditEntry {
  readonly action:
    | `webhook_${"subscription" | "listener" | "delivery" | "recovery" | "replay"}.${string}`
    | `notice_destination.${string}`;
  readonly target: {
    readonly type: `webhook_${"subscription" | "listener" | "delivery"}` | "notice_destination";
    readonly id: string;
  };
  readonly changes: Readonly<Record<string, unknown>>;
}

export async function recordAudit(tx: Tenant<Tables>, entry: AuditEntry, cause: Cause): Promise<void> {
  await tx.db.insertInto("outbox").values(auditOnlyRow(entry, cause)).execute();
}

export function startAuditRelay(
  options: Omit<Parameters<typeof startRelay>[0], "service" | "mustRoute">,
): Relay {
  // An entry waits in the outbox until the gateway has bound its queue.
  return startRelay({ ...options, service: "webhooks", auditEntries: "only", mustRoute: () => true });
}
