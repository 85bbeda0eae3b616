// The database of one tenant, as `connect-tenants.ts` opens it.
import type { QueryConfig, QueryResult, QueryResultRow } from "pg";
import type { MayBePrepared } from "./prepare-statements.ts";
import type { Tenant } from "./tenant.ts";

/** Statements that see one tenant's rows only. */
export interface TenantStatements<Tables> extends Tenant<Tables> {
  /** For SQL written by hand; `db` is for Kysely. */
  query<Row extends QueryResultRow>(config: QueryConfig & MayBePrepared): Promise<QueryResult<Row>>;
}

/** The rows of one tenant. Each statement is a separate transaction, except in `transaction`. */
export interface TenantDatabase<Tables> extends TenantStatements<Tables> {
  /** Runs several statements in one transaction. Statements that are sent without awaiting them share a round trip. */
  transaction<Result>(work: (tx: TenantStatements<Tables>) => Promise<Result>): Promise<Result>;
  /** Statements that may commit together with those of other requests: see `group-commit.ts`. They must be safe to repeat. */
  readonly batched: TenantStatements<Tables>;
}
