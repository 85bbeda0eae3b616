import { required } from "@tradepost/http";
import type { Tenant } from "@tradepost/postgres";
import { type AuditCause, recordAudit } from "../../audit-log/audit-log.ts";
import type { Tables } from "../../tables.ts";
import { generateApiKey } from "./api-key.ts";
import { type ApiKey, insertApiKey, lockApiKey, requireRoomForKey, updateApiKey } from "./api-key-store.ts";
import { rotationOf } from "./key-changes.ts";

interface NewKey extends Pick<ApiKey, "label" | "scopes" | "expiresAt" | "allowedAddresses"> {
  readonly rotatedFrom?: string;
}

/** Call it in a transaction. Throws 409 `api_key_limit`. */
export async function createKey(
  tx: Tenant<Tables>,
  { rotatedFrom, ...input }: NewKey,
  cause: AuditCause,
): Promise<{ apiKey: ApiKey; key: string }> {
  await requireRoomForKey(tx, { isRotation: rotatedFrom !== undefined });
  const { keyId, secretHash, key } = generateApiKey();
  const createdBy = cause.principal.actor.id;
  const apiKey = await insertApiKey(tx, { ...input, keyId, secretHash, createdBy });
  const { id, label, scopes, expiresAt, allowedAddresses } = apiKey;
  const changes = {
    ...{ keyId, label, scopes, expiresAt },
    ...(allowedAddresses !== null && { allowedAddresses }),
    ...(rotatedFrom !== undefined && { rotatedFrom }),
  };
  await recordAudit(tx, { action: "api_key.created", target: { type: "api_key", id }, changes }, cause);
  return { apiKey, key };
}

/**
 * Call it in a transaction. Throws 404, and 409 `key_revoked`, `rotation_in_progress`, `conflict` (expired) or `api_key_limit`.
 */
export async function rotateKey(
  tx: Tenant<Tables>,
  id: string,
  overlapHours: number,
  cause: AuditCause,
): Promise<{ apiKey: ApiKey; key: string }> {
  const old = required(await lockApiKey(tx, id), "API key");
  const { oldExpiresAt, newExpiresAt } = rotationOf(old, overlapHours);
  await updateApiKey(tx, id, { expiresAt: oldExpiresAt, rotatedAt: old.now });
  const { label, scopes, allowedAddresses } = old;
  const successor = await createKey(
    tx,
    { label, scopes, allowedAddresses, expiresAt: newExpiresAt, rotatedFrom: id },
    cause,
  );
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
