// Records an admin's actions for the tenant's audit log, in the transaction of the change (interface §2, "Audit log"). The relay
// publishes them to the gateway.
import { auditOnlyRow, type Cause, type Relay, startRelay } from "@tradepost/messaging";
import type { Tenant } from "./tables.ts";

type Target = `webhook_${"subscription" | "listener" | "delivery"}` | "notice_destination";

export async function recordAudit(
  tx: Tenant,
  action: `${Target | "webhook_recovery" | "webhook_replay"}.${string}`,
  target: { readonly type: Target; readonly id: string },
  cause: Cause,
  changes: Readonly<Record<string, unknown>> = {},
): Promise<void> {
  await tx.db.insertInto("outbox").values(auditOnlyRow({ action, target, changes }, cause)).execute();
}

export function startAuditRelay(
  options: Omit<Parameters<typeof startRelay>[0], "service" | "mustRoute">,
): Relay {
  // An entry waits in the outbox until the gateway has bound its queue.
  return startRelay({ ...options, service: "webhooks", auditEntries: "only", mustRoute: () => true });
}
