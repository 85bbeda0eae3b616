// The look-up behind every request with an API key: the key, its tenant's modules, and whether it still holds.
import type { Pool } from "pg";
import { batchLookup } from "../batch-lookup.ts";

interface KeyIdentity {
  readonly id: string;
  readonly keyId: string;
  readonly tenantId: string;
  readonly label: string;
  readonly scopes: string[];
  readonly secretHash: Buffer;
  /** Neither revoked nor expired, by the database's clock. */
  readonly isLive: boolean;
  readonly modules: string[];
}

export type FindKey = (keyId: string) => Promise<KeyIdentity | null>;

const FIND = {
  name: "find-key-identities",
  text: `
  select id, key_id as "keyId", tenant_id as "tenantId", label, scopes, secret_hash as "secretHash",
         revoked_at is null and (expires_at is null or expires_at > now()) as "isLive",
         array(select name from tenant_modules m
                where m.tenant_id = api_keys.tenant_id and m.active order by name) as modules
    from api_keys
   where key_id = any($1)`,
};

/**
 * Out: the look-up of a key by its public id. It reads the database on every request, so that a revocation holds at
 * once; requests that arrive together are read in one query.
 */
export function keyLookup(pool: Pool): FindKey {
  return batchLookup(async (keyIds) => {
    const { rows } = await pool.query<KeyIdentity>({ ...FIND, values: [keyIds] });
    return new Map(rows.map((row) => [row.keyId, row]));
  });
}
