// API keys as the API shows them, never with their secret.
import { ApiError, type PageQuery } from "@tradepost/http";
import { newestFirst } from "@tradepost/postgres";
import { newId } from "@tradepost/runtime";
import type { Selectable } from "kysely";
import { sql } from "kysely";
import type { Tables, Tenant } from "../../tables.ts";

export type ApiKey = ReturnType<typeof apiKeyOf>;

export async function insertApiKey(
  tenant: Tenant,
  key: Pick<ApiKey, "keyId" | "label" | "scopes" | "expiresAt" | "allowedAddresses"> & {
    secretHash: Buffer;
    createdBy: string;
  },
): Promise<ApiKey> {
  const row = await tenant.db
    .insertInto("api_keys")
    .values({
      tenant_id: tenant.tenantId,
      id: newId(),
      key_id: key.keyId,
      secret_hash: key.secretHash,
      label: key.label,
      scopes: key.scopes,
      created_by: key.createdBy,
      expires_at: key.expiresAt,
      allowed_addresses: key.allowedAddresses,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  return apiKeyOf(row);
}

const LIVE_KEYS_MAX = 100;

/** Throws 409 `api_key_limit`, which a rotation may exceed by one. Creations of one tenant wait for each other. */
export async function requireRoomForKey(
  { db, tenantId }: Tenant,
  { isRotation }: { readonly isRotation: boolean },
): Promise<void> {
  const max = isRotation ? LIVE_KEYS_MAX + 1 : LIVE_KEYS_MAX;
  await sql`select pg_advisory_xact_lock(hashtextextended(${tenantId}, 0))`.execute(db);
  const live = await db
    .selectFrom("api_keys")
    .select("id")
    .where("tenant_id", "=", tenantId)
    .where("revoked_at", "is", null)
    // Rounded like stored times, so a key that this transaction lets expire does not count.
    .where(sql<boolean>`(expires_at is null or expires_at > now()::timestamptz(3))`)
    .limit(max)
    .execute();
  if (live.length < max) return;
  const wayOut = "revoke one, or rotate with overlapHours 0";
  throw new ApiError("api_key_limit", `A tenant can have ${LIVE_KEYS_MAX} live API keys: ${wayOut}.`);
}

export async function listApiKeys(tenant: Tenant, page: PageQuery): Promise<ApiKey[]> {
  const all = tenant.db.selectFrom("api_keys").selectAll().where("tenant_id", "=", tenant.tenantId);
  const rows = await newestFirst(all, page).execute();
  return rows.map(apiKeyOf);
}

export async function findApiKey(tenant: Tenant, id: string): Promise<ApiKey | null> {
  const row = await selectKey(tenant, id).executeTakeFirst();
  return row === undefined ? null : apiKeyOf(row);
}

function selectKey({ db, tenantId }: Tenant, id: string) {
  return db.selectFrom("api_keys").selectAll().where("tenant_id", "=", tenantId).where("id", "=", id);
}

export type LockedApiKey = NonNullable<Awaited<ReturnType<typeof lockApiKey>>>;

/** Makes the second of two changes see the result of the first. */
export async function lockApiKey(tx: Tenant, id: string) {
  // Rounded like stored times.
  const now = sql<Date>`now()::timestamptz(3)`.as("now");
  const row = await selectKey(tx, id).select(now).forUpdate().executeTakeFirst();
  return row === undefined ? null : { ...apiKeyOf(row), rotatedAt: row.rotated_at, now: row.now };
}

export async function updateApiKey(
  tx: Tenant,
  id: string,
  changed: Partial<Pick<LockedApiKey, "label" | "expiresAt" | "allowedAddresses">> & { rotatedAt?: Date },
): Promise<ApiKey> {
  const { label, expiresAt, allowedAddresses, rotatedAt } = changed;
  const row = await tx.db
    .updateTable("api_keys")
    // Kysely skips undefined columns.
    .set({ label, expires_at: expiresAt, allowed_addresses: allowedAddresses, rotated_at: rotatedAt })
    .where("tenant_id", "=", tx.tenantId)
    .where("id", "=", id)
    .returningAll()
    .executeTakeFirstOrThrow();
  return apiKeyOf(row);
}

/** `hasChanged` is false for a revoked key, which keeps its time. */
export async function revokeApiKey(tenant: Tenant, id: string) {
  const row = await tenant.db
    .updateTable("api_keys")
    .set({ revoked_at: sql<Date>`now()` })
    .where("tenant_id", "=", tenant.tenantId)
    .where("id", "=", id)
    .where("revoked_at", "is", null)
    .returningAll()
    .executeTakeFirst();
  if (row !== undefined) return { key: apiKeyOf(row), hasChanged: true };
  const key = await findApiKey(tenant, id);
  return key && { key, hasChanged: false };
}

function apiKeyOf(row: Selectable<Tables["api_keys"]>) {
  return {
    id: row.id,
    keyId: row.key_id,
    label: row.label,
    scopes: row.scopes,
    expiresAt: row.expires_at,
    allowedAddresses: row.allowed_addresses,
    revokedAt: row.revoked_at,
    lastUsedAt: row.last_used_at,
    createdAt: row.created_at,
  };
}
