import { required } from "@tradepost/http";
import { type AuditCause, recordAudit } from "../../audit-log/audit-log.ts";
import type { Tenant } from "../../tables.ts";
import { generateApiKey } from "./api-key.ts";
import * as store from "./api-key-store.ts";
import { rotationOf } from "./key-changes.ts";

interface NewKey extends Pick<store.ApiKey, "label" | "scopes" | "expiresAt" | "allowedAddresses"> {
  readonly rotatedFrom?: string;
}

/** Call it in a transaction. Throws 409 `api_key_limit`. */
export async function createKey(tx: Tenant, { rotatedFrom, ...input }: NewKey, cause: AuditCause) {
  await store.requireRoomForKey(tx, { isRotation: rotatedFrom !== undefined });
  const { keyId, secretHash, key } = generateApiKey();
  const createdBy = cause.principal.actor.id;
  const apiKey = await store.insertApiKey(tx, { ...input, keyId, secretHash, createdBy });
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
export async function rotateKey(tx: Tenant, id: string, overlapHours: number, cause: AuditCause) {
  const old = required(await store.lockApiKey(tx, id), "API key");
  const { oldExpiresAt, newExpiresAt } = rotationOf(old, overlapHours);
  await store.updateApiKey(tx, id, { expiresAt: oldExpiresAt, rotatedAt: old.now });
  const { label, scopes, allowedAddresses } = old;
  const successor = await createKey(
    tx,
    { label, scopes, allowedAddresses, expiresAt: newExpiresAt, rotatedFrom: id },
    cause,
  );
  const newKey = { id: successor.apiKey.id, keyId: successor.apiKey.keyId };
  const changes = { keyId: old.keyId, overlapHours, expiresAt: oldExpiresAt, newKey };
  await recordAudit(tx, { action: "api_key.rotated", target: { type: "api_key", id }, changes }, cause);
  return successor;
}

/** Returns null if the key does not exist. A revoked key stays as it is. */
export async function revokeKey(tx: Tenant, id: string, cause: AuditCause) {
  const revoked = await store.revokeApiKey(tx, id);
  if (revoked?.hasChanged) {
    const changes = { keyId: revoked.key.keyId, label: revoked.key.label };
    await recordAudit(tx, { action: "api_key.revoked", target: { type: "api_key", id }, changes }, cause);
  }
  return revoked?.key ?? null;
}
