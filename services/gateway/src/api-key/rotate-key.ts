// Replaces an API key by a new one with the same label and scopes, with the audit entries of both.
import { notFound } from "@tradepost/http";
import type { Tenant } from "@tradepost/postgres";
import { type AuditCause, recordAudit } from "../audit-log/audit-log-store.ts";
import type { Tables } from "../tables.ts";
import { type ApiKey, lockApiKey, updateApiKey } from "./api-key-store.ts";
import { createKey } from "./create-key.ts";
import { rotationOf } from "./key-changes.ts";

/** Runs in a transaction. Throws 404, and 409 `key_revoked`, `rotation_in_progress`, `conflict` (expired) or `api_key_limit`. */
export async function rotateKey(
  tx: Tenant<Tables>,
  id: string,
  overlapHours: number,
  cause: AuditCause,
): Promise<{ apiKey: ApiKey; key: string }> {
  const old = await lockApiKey(tx, id);
  if (old === null) throw notFound("API key");
  const { oldExpiresAt, newExpiresAt } = rotationOf(old, overlapHours);
  await updateApiKey(tx, id, { expiresAt: oldExpiresAt, rotatedAt: old.now });
  const { label, scopes } = old;
  const successor = await createKey(tx, { label, scopes, expiresAt: newExpiresAt, rotatedFrom: id }, cause);
  const { id: newId, keyId: newKeyId } = successor.apiKey;
  const changes = {
    keyId: old.keyId,
    overlapHours,
    expiresAt: oldExpiresAt,
    newKey: { id: newId, keyId: newKeyId },
  };
  await recordAudit(tx, { action: "api_key.rotated", target: { type: "api_key", id }, changes }, cause);
  return successor;
}
