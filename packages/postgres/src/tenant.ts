// A function that acts for one tenant takes a `Tenant` as its first parameter, named `tenant`, or `tx` inside a transaction.
// A function across tenants takes `db` first.
import type { CompiledQuery, Kysely } from "kysely";
import type { QueryConfig, QueryResult, QueryResultRow } from "pg";
import type { MayBePrepared } from "./session.ts";

/** A tenant, with the database or transaction to access its rows. */
export interface Tenant<Tables> {
  readonly tenantId: string;
  readonly db: Kysely<Tables>;
}

export interface TransactionalTenant<Tables> extends Tenant<Tables> {
  /** Runs the work in one transaction, which commits if the work resolves and rolls back if it rejects. */
  transaction<Result>(work: (tx: Tenant<Tables>) => Promise<Result>): Promise<Result>;
}

/**
 * Returns a tenant of a database without row-level security: each statement must name `tenantId` in its condition. With row-level
 * security, use `TenantDatabases.of`.
 */
export function tenantOf<Tables>(db: Kysely<Tables>, tenantId: string): TransactionalTenant<Tables> {
  return {
    tenantId,
    db,
    transaction: (work) => db.transaction().execute((tx) => work({ tenantId, db: tx })),
  };
}

/** Statements that see one tenant's rows only. */
export interface TenantStatements<Tables> extends Tenant<Tables> {
  /** For SQL written by hand; `db` is for Kysely. */
  query<Row extends QueryResultRow>(config: QueryConfig & MayBePrepared): Promise<QueryResult<Row>>;
}

/** Runs a statement of Kysely's without preparing it, because its text or the best plan depends on its values. */
export async function queryUnprepared<Tables, Row>(
  { db, query }: TenantStatements<Tables>,
  statement: { compile(db: Kysely<Tables>): CompiledQuery<Row> },
): Promise<Row[]> {
  const { sql: text, parameters } = statement.compile(db);
  return (await query<Row & QueryResultRow>({ text, values: [...parameters], isPrepared: false })).rows;
}

/**
 * The rows of one tenant, as `connect-tenants.ts` opens them. Each statement is a separate transaction, except in
 * `transaction`.
 */
export interface TenantDatabase<Tables> extends TenantStatements<Tables> {
  /** Runs several statements in one transaction. Statements that are sent without awaiting them share a round trip. */
  transaction<Result>(work: (tx: TenantStatements<Tables>) => Promise<Result>): Promise<Result>;
  /**
   * Runs statements that may commit together with statements of other requests: see `group-commit.ts`. They must be safe to
   * repeat.
   */
  readonly batched: TenantStatements<Tables>;
}
