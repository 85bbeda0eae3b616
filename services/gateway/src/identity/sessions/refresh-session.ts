import { tenantOf } from "@tradepost/postgres";
import type { Kysely } from "kysely";
import type { Tables, Tenant } from "../../tables.ts";
import { type AnonymousRequest, recordByUser } from "../record-about-user.ts";
import { refuseSuspended } from "../tenants/operated-tenant.ts";
import type { RefreshSecrets } from "./refresh-secret.ts";
import * as store from "./session-store.ts";

/** Not verified yet. */
type SessionRequest = store.OpenedSession & AnonymousRequest;

/**
 * Null if the session is over or the secret is not the current one. An earlier secret ends the session: two parties have a
 * copy, and the gateway cannot know which is the user. Throws 403 `tenant_suspended`.
 */
export async function refreshSession(db: Kysely<Tables>, request: SessionRequest, secrets: RefreshSecrets) {
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
      await end(tenant, "auth.refresh_reused", session, request);
    }
    return null;
  });
}

/** Ends the session if the secret is its current one. */
export async function signOut(db: Kysely<Tables>, request: SessionRequest): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const session = await store.lockSession(tx, request.id);
    if (session === null || !session.isCurrent(request.refreshSecret)) return;
    await end(tenantOf(tx, session.tenantId), "auth.logout", session, request);
  });
}

async function end(
  tx: Tenant,
  action: "auth.logout" | "auth.refresh_reused",
  session: store.OwnedSession,
  request: SessionRequest,
): Promise<void> {
  const { id, userId, userName } = session;
  await store.endSession(tx, session);
  await recordByUser(tx, action, { id: userId, name: userName }, request, { sessionId: id });
}
