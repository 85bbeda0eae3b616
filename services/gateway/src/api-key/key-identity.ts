// The look-up behind every request with an API key: the key, its tenant's modules, and whether it still holds.
import type { Pool } from "pg";

export interface KeyIdentity {
  readonly id: string;
  readonly tenantId: string;
  readonly label: string;
  readonly scopes: string[];
  readonly secretHash: Buffer;
  /** Neither revoked nor expired, by the database's clock. */
  readonly isLive: boolean;
  readonly modules: string[];
}

const FIND = {
  name: "find-key-identity",
  text: `
  select id, tenant_id as "tenantId", label, scopes, secret_hash as "secretHash",
         revoked_at is null and (expires_at is null or expires_at > now()) as "isLive",
         array(select name from tenant_modules m
                where m.tenant_id = api_keys.tenant_id and m.active order by name) as modules
    from api_keys
   where key_id = $1`,
};

/** Out: the key by its public id, or null. Read on every request, so that a revocation holds at once. */
export async function findKeyIdentity(pool: Pool, keyId: string): Promise<KeyIdentity | null> {
  const { rows } = await pool.query<KeyIdentity>({ ...FIND, values: [keyId] });
  return rows[0] ?? null;
}
