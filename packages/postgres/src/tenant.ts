// A function that acts for one tenant takes a `Tenant` as its first parameter, named `tenant`, or `tx` inside a transaction.
// A function across tenants takes `db` first.
import { CompiledQuery, type Kysely } from "kysely";
import type { QueryConfig, QueryResultRow } from "pg";
import type { MayBePrepared } from "./session.ts";

/** A tenant, with the database or transaction to access its rows. Each statement must name `tenantId`. */
export interface Tenant<Tables> {
  readonly tenantId: string;
  readonly db: Kysely<Tables>;
  /** For SQL written by hand; `db` is for Kysely. */
  query<Row extends QueryResultRow>(config: QueryConfig & MayBePrepared): Promise<{ rows: Row[] }>;
  /** Commits if the work resolves and rolls back if it rejects. Inside a transaction, it continues that one. */
  transaction<Result>(work: (tx: Tenant<Tables>) => Promise<Result>): Promise<Result>;
  /**
   * Its statements may commit with those of other requests (`group-commit.ts`), and must be safe to repeat. Inside a
   * transaction, and without row-level security, it is the tenant itself.
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

/** Runs a statement without preparing it, because the best plan depends on the values. Tenants of `tenantOf` prepare it. */
export async function queryUnprepared<Tables, Row>(
  { db, query }: Tenant<Tables>,
  statement: { compile(db: Kysely<Tables>): CompiledQuery<Row> },
): Promise<Row[]> {
  const { sql: text, parameters } = statement.compile(db);
  return (await query<Row & QueryResultRow>({ text, values: [...parameters], isPrepared: false })).rows;
}
