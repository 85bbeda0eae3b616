// Creates an API key with its audit entry.
import type { Tenant } from "@tradepost/postgres";
import { type AuditCause, recordAudit } from "../audit-log/audit-log-store.ts";
import type { Tables } from "../tables.ts";
import { generateApiKey } from "./api-key.ts";
import { type ApiKey, insertApiKey, requireRoomForKey } from "./api-key-store.ts";

interface NewKey extends Pick<ApiKey, "label" | "scopes" | "expiresAt"> {
  /** The id of the key that it replaces. */
  readonly rotatedFrom?: string;
}

/** Runs in a transaction. `key` is the whole key, which is not stored. Throws 409 `api_key_limit`. */
export async function createKey(
  tx: Tenant<Tables>,
  { rotatedFrom, ...input }: NewKey,
  cause: AuditCause,
): Promise<{ apiKey: ApiKey; key: string }> {
  await requireRoomForKey(tx);
  const { keyId, secretHash, key } = generateApiKey();
  const createdBy = cause.principal.actor.id;
  const apiKey = await insertApiKey(tx, { ...input, keyId, secretHash, createdBy });
  const { id, label, scopes, expiresAt } = apiKey;
  const changes = { keyId, label, scopes, expiresAt, ...(rotatedFrom !== undefined && { rotatedFrom }) };
  await recordAudit(tx, { action: "api_key.created", target: { type: "api_key", id }, changes }, cause);
  return { apiKey, key };
}
