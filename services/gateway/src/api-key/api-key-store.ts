// Reads and writes API keys as the API shows them: never with their secret.
import type { PageQuery } from "@tradepost/http";
import { newestFirst } from "@tradepost/postgres";
import type { Kysely, Selectable } from "kysely";
import { sql } from "kysely";
import type { Tables } from "../tables.ts";

export interface ApiKey {
  readonly id: string;
  readonly keyId: string;
  readonly label: string;
  readonly scopes: string[];
  readonly expiresAt: Date | null;
  readonly revokedAt: Date | null;
  readonly lastUsedAt: Date | null;
  readonly createdAt: Date;
}

export async function insertApiKey(
  db: Kysely<Tables>,
  key: { tenantId: string; id: string; keyId: string; secretHash: Buffer; createdBy: string } & Pick<
    ApiKey,
    "label" | "scopes" | "expiresAt"
  >,
): Promise<ApiKey> {
  const row = await db
    .insertInto("api_keys")
    .values({
      tenant_id: key.tenantId,
      id: key.id,
      key_id: key.keyId,
      secret_hash: key.secretHash,
      label: key.label,
      scopes: key.scopes,
      created_by: key.createdBy,
      expires_at: key.expiresAt,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  return apiKeyOf(row);
}

/** Newest first, revoked and expired ones too; one row more than the limit where there is a next page. */
export async function listApiKeys(db: Kysely<Tables>, tenantId: string, page: PageQuery): Promise<ApiKey[]> {
  const all = db.selectFrom("api_keys").selectAll().where("tenant_id", "=", tenantId);
  const rows = await newestFirst(all, page).execute();
  return rows.map(apiKeyOf);
}

export async function findApiKey(db: Kysely<Tables>, tenantId: string, id: string): Promise<ApiKey | null> {
  const row = await db
    .selectFrom("api_keys")
    .selectAll()
    .where("tenant_id", "=", tenantId)
    .where("id", "=", id)
    .executeTakeFirst();
  return row === undefined ? null : apiKeyOf(row);
}

/** Out: the key, and whether it was this that revoked it: a second revocation leaves the first's time. */
export async function revokeApiKey(
  db: Kysely<Tables>,
  tenantId: string,
  id: string,
): Promise<{ key: ApiKey; isNews: boolean } | null> {
  const row = await db
    .updateTable("api_keys")
    .set({ revoked_at: sql<Date>`now()` })
    .where("tenant_id", "=", tenantId)
    .where("id", "=", id)
    .where("revoked_at", "is", null)
    .returningAll()
    .executeTakeFirst();
  if (row !== undefined) return { key: apiKeyOf(row), isNews: true };
  const key = await findApiKey(db, tenantId, id);
  return key && { key, isNews: false };
}

function apiKeyOf(row: Selectable<Tables["api_keys"]>): ApiKey {
  return {
    id: row.id,
    keyId: row.key_id,
    label: row.label,
    scopes: row.scopes,
    expiresAt: row.expires_at,
    revokedAt: row.revoked_at,
    lastUsedAt: row.last_used_at,
    createdAt: row.created_at,
  };
}
