// Records in the audit log what happened to users.
import type { Client } from "@tradepost/http";
import type { Logger } from "@tradepost/runtime";
import { type AuditCause, recordAudit } from "../audit-log/audit-log.ts";
import type { Tenant } from "../tables.ts";

export interface AnonymousRequest {
  readonly client: Client;
  readonly requestId: string;
}

export async function recordAboutUser(
  tx: Tenant,
  action: string,
  id: string,
  cause: AuditCause,
  changes: Record<string, unknown>,
): Promise<void> {
  await recordAudit(tx, { action, target: { type: "user", id }, changes }, cause);
}

/** The user is actor and target. */
export async function recordByUser(
  tx: Tenant,
  action: string,
  { id, name }: { readonly id: string; readonly name: string },
  { client, requestId }: AnonymousRequest,
  changes: Record<string, unknown> = {},
): Promise<void> {
  const principal = { tenantId: tx.tenantId, actor: { type: "user", id, name }, client } as const;
  await recordAboutUser(tx, action, id, { principal, requestId }, changes);
}

/**
 * Runs work after the response, which then takes the same time with and without the work. Needs no limit: the hash queue limits the
 * hashes that precede each task.
 */
export function startBackgroundTasks(logger: Logger) {
  const running = new Set<Promise<void>>();
  return {
    run: (work: () => Promise<void>): void => {
      const done = new Promise<void>((resolve) => setImmediate(resolve))
        .then(work)
        .catch((error: unknown) => logger.error({ err: error }, "an audit entry is lost"))
        .finally(() => running.delete(done));
      running.add(done);
    },
    /** A killed process loses what is left. */
    stop: async () => {
      while (running.size > 0) await Promise.all(running);
    },
  };
}
