import type { Client } from "@tradepost/http";
import { type Tenant, tenantOf } from "@tradepost/postgres";
import type { Kysely } from "kysely";
import { recordAudit } from "../../audit-log/audit-log.ts";
import type { Tables } from "../../tables.ts";
import { refuseSuspended } from "../tenants/operated-tenant.ts";
import type { RefreshSecrets } from "./refresh-secret.ts";
import * as store from "./session-store.ts";

/** Not verified yet. */
interface SessionRequest extends store.OpenedSession {
  readonly client: Client;
  readonly requestId: string;
}

/**
 * Null if the session is over or the secret is not the current one. An earlier secret ends the session: two parties have a
 * copy, and the gateway cannot know which is the user. Throws 403 `tenant_suspended`.
 */
export async function refreshSession(
  db: Kysely<Tables>,
  request: SessionRequest,
  secrets: RefreshSecrets,
): Promise<(store.OpenedSession & store.OwnedSession) | null> {
  return await db.transaction().execute(async (tx) => {
    const session = await store.lockSession(tx, request.id);
    if (session === null) return null;
    const tenant = tenantOf(tx, session.tenantId);
    if (session.isCurrent(request.refreshSecret)) {
      await refuseSuspended(tenant);
      const refreshSecret = secrets.issue(request.id);
      await store.rotateRefreshSecret(tenant, session.id, refreshSecret, request.client);
      return { ...session, refreshSecret };
    }
    if (secrets.wasIssued(request.id, request.refreshSecret)) {
      await store.endSession(tenant, session);
      await recordEnd(tenant, "auth.refresh_reused", session, request);
    }
    return null;
  });
}

/** Ends the session if the secret is its current one. */
export async function signOut(db: Kysely<Tables>, request: SessionRequest): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const session = await store.lockSession(tx, request.id);
    if (session === null || !session.isCurrent(request.refreshSecret)) return;
    const tenant = tenantOf(tx, session.tenantId);
    await store.endSession(tenant, session);
    await recordEnd(tenant, "auth.logout", session, request);
  });
}

async function recordEnd(
  tx: Tenant<Tables>,
  action: "auth.logout" | "auth.refresh_reused",
  { id, tenantId, userId, userName }: store.OwnedSession,
  { client, requestId }: SessionRequest,
): Promise<void> {
  await recordAudit(
    tx,
    { action, target: { type: "user", id: userId }, changes: { sessionId: id } },
    { principal: { tenantId, actor: { type: "user", id: userId, name: userName }, client }, requestId },
  );
}
