// What a refresh and a logout do to the session that their cookie names.
import type { Kysely } from "kysely";
import { recordAudit } from "../audit-log/audit-log-store.ts";
import type { Client } from "../client/client.ts";
import type { Tables } from "../tables.ts";
import type { RefreshSecrets } from "./refresh-secret.ts";
import * as store from "./session-store.ts";

interface Given extends store.OpenedSession {
  readonly client: Client;
  readonly requestId: string;
}

/**
 * Takes a refresh secret for a new one. Out: the session with its new secret, or null if it is over or the secret is not
 * its present one. A secret that the session had before ends it: two parties hold a copy, and nobody can tell which of
 * them is the user. One that was made up ends nothing.
 */
export async function refreshSession(
  db: Kysely<Tables>,
  given: Given,
  secrets: RefreshSecrets,
): Promise<(store.OpenedSession & store.OwnedSession) | null> {
  return await db.transaction().execute(async (tx) => {
    const session = await store.lockSession(tx, given.id);
    if (session === null) return null;
    if (session.isPresent(given.refreshSecret)) {
      const refreshSecret = secrets.issue(given.id);
      await store.rotateRefreshSecret(tx, session, refreshSecret, given.client);
      return { ...session, refreshSecret };
    }
    if (secrets.wasIssued(given.id, given.refreshSecret)) {
      await store.endSession(tx, session);
      await recordEnd(tx, "auth.refresh_reused", session, given);
    }
    return null;
  });
}

/** Ends the session if the secret is its present one. */
export async function signOut(db: Kysely<Tables>, given: Given): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const session = await store.lockSession(tx, given.id);
    if (session === null || !session.isPresent(given.refreshSecret)) return;
    await store.endSession(tx, session);
    await recordEnd(tx, "auth.logout", session, given);
  });
}

async function recordEnd(
  tx: Kysely<Tables>,
  action: "auth.logout" | "auth.refresh_reused",
  { id, tenantId, userId, userName }: store.OwnedSession,
  { client, requestId }: Given,
): Promise<void> {
  await recordAudit(
    tx,
    { action, target: { type: "user", id: userId }, changes: { sessionId: id } },
    { principal: { tenantId, actor: { type: "user", id: userId, name: userName } }, requestId, client },
  );
}
