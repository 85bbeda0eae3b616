// A function that acts for one tenant takes a `Tenant` as its first parameter, named `tenant`, or `tx` inside a transaction.
// A function across tenants takes `db` first.
import type { Kysely } from "kysely";

/** A tenant, with the database or transaction to access its rows. */
export interface Tenant<Tables> {
  readonly tenantId: string;
  readonly db: Kysely<Tables>;
}

/** A tenant outside a transaction. */
export interface TransactionalTenant<Tables> extends Tenant<Tables> {
  /** Runs the work in one transaction, which commits if the work resolves and rolls back if it rejects. */
  transaction<Result>(work: (tx: Tenant<Tables>) => Promise<Result>): Promise<Result>;
}

/**
 * A tenant over a database without row-level security: each statement must name `tenantId` in its condition. With
 * row-level security, use `TenantDatabases.of`.
 */
export function tenantOf<Tables>(db: Kysely<Tables>, tenantId: string): TransactionalTenant<Tables> {
  return {
    tenantId,
    db,
    transaction: (work) => db.transaction().execute((tx) => work({ tenantId, db: tx })),
  };
}
