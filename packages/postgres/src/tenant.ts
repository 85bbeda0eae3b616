// A function that acts for one tenant takes a `Tenant` as its first parameter, named `tenant`, or `tx` inside a transaction.
// A function across tenants takes `db` first.
import { CompiledQuery, type Kysely } from "kysely";
import type { QueryConfig, QueryResultRow } from "pg";
import type { MayBePrepared } from "./session.ts";

/** A tenant, with the database or the transaction to access its rows. Each statement must name `tenantId` in its condition. */
export interface Tenant<Tables> {
  readonly tenantId: string;
  readonly db: Kysely<Tables>;
  /** For SQL written by hand; `db` is for Kysely. */
  query<Row extends QueryResultRow>(config: QueryConfig & MayBePrepared): Promise<{ rows: Row[] }>;
  /**
   * Runs the work in one transaction, which commits if the work resolves and rolls back if it rejects. Inside a transaction, the
   * work is a part of that one.
   */
  transaction<Result>(work: (tx: Tenant<Tables>) => Promise<Result>): Promise<Result>;
  /**
   * Its statements may commit together with statements of other requests: see `group-commit.ts`. They must be safe to repeat. The
   * tenant itself inside a transaction, and without row-level security.
   */
  readonly batched: Tenant<Tables>;
}

/** Returns a tenant of a database without row-level security. With row-level security, use `TenantDatabases.of`. */
export function tenantOf<Tables>(db: Kysely<Tables>, tenantId: string): Tenant<Tables> {
  const tenant: Tenant<Tables> = {
    tenantId,
    db,
    query: <Row>({ text, values = [] }: QueryConfig) => db.executeQuery<Row>(CompiledQuery.raw(text, values)),
    transaction: (work) =>
      db.isTransaction
        ? work(tenant)
        : db.transaction().execute((tx) => work(tenantOf<Tables>(tx, tenantId))),
    get batched() {
      return tenant;
    },
  };
  return tenant;
}

/**
 * Runs a statement of Kysely's without preparing it, because its text or the best plan depends on its values. A tenant of
 * `tenantOf` prepares it.
 */
export async function queryUnprepared<Tables, Row>(
  { db, query }: Tenant<Tables>,
  statement: { compile(db: Kysely<Tables>): CompiledQuery<Row> },
): Promise<Row[]> {
  const { sql: text, parameters } = statement.compile(db);
  return (await query<Row & QueryResultRow>({ text, values: [...parameters], isPrepared: false })).rows;
}
