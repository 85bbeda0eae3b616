// How code names the tenant that it acts for. A function that acts for one tenant takes a `Tenant` as its first parameter,
// `tenant`, or `tx` inside a transaction; a function across tenants takes `db` first.
import type { Kysely } from "kysely";

/** One tenant, and the database or transaction to reach its rows through. */
export interface Tenant<Tables> {
  readonly tenantId: string;
  readonly db: Kysely<Tables>;
}

/**
 * A tenant over a database without row-level security: each statement must name `tenantId` in its condition. With
 * row-level security, use `TenantDatabases.of`.
 */
export function tenantOf<Tables>(db: Kysely<Tables>, tenantId: string): Tenant<Tables> {
  return { tenantId, db };
}
