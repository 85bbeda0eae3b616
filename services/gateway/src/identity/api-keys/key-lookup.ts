// The lookup behind every request with an API key: the key, whether it is valid, and its tenant's modules.
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
  /** The operator has suspended the tenant. */
  readonly isSuspended: boolean;
}

/** Finds a key by its public id; resolves with null if there is none. */
export type FindKey = (keyId: string) => Promise<KeyIdentity | null>;

/** Reads the database on every lookup, so that a revocation takes effect at once. Concurrent lookups share a query. */
export function keyLookup(pool: Pool): FindKey {
  return batchLookup(async (keyIds) => {
    const { rows } = await pool.query<KeyIdentity>({
      text: FIND,
      values: [keyIds],
    });
    return new Map(rows.map((row) => [row.keyId, row]));
  });
}

const FIND = `
  select id, key_id as "keyId", tenant_id as "tenantId", label, scopes, secret_hash as "secretHash",
         revoked_at is null and (expires_at is null or expires_at > now()) as "isLive",
         array(select name from tenant_modules m
                where m.tenant_id = api_keys.tenant_id and m.active order by name) as modules,
         (select suspended_at is not null from tenants where tenants.id = api_keys.tenant_id) as "isSuspended"
    from api_keys
   where key_id = any($1)`;
