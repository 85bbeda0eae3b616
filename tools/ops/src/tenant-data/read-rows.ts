// Reads a tenant's rows as lines of JSON, a few at a time, so that any number of rows can be read.
import type { TenantTable } from "@tradepost/data-map";
import { type QueryExecutorProvider, type RawBuilder, sql } from "kysely";

// A row may have 2 MiB.
const FETCH_ROWS = 20;

/** Yields each row as JSON, with all digits of its numbers. `tx` must be a transaction. */
export async function* readRows(
  tx: QueryExecutorProvider,
  { name, tenantColumn, secrets }: TenantTable,
  tenantId: string,
): AsyncGenerator<string> {
  const columns = await shownColumns(tx, name, secrets);
  await sql`
    declare tenant_rows no scroll cursor for
     select row_to_json(shown)::text as line
       from (select ${sql.join(columns.map((column) => sql.ref(column)))}
               from ${sql.table(name)} where ${sql.ref(tenantColumn)} = ${sql.lit(tenantId)} and ${isOwnRow(name)}) shown`.execute(
    tx,
  );
  for (;;) {
    const { rows } = await sql<{ line: string }>`fetch ${sql.lit(FETCH_ROWS)} from tenant_rows`.execute(tx);
    for (const { line } of rows) yield line;
    if (rows.length < FETCH_ROWS) break;
  }
  await sql`close tenant_rows`.execute(tx);
}

async function shownColumns(
  tx: QueryExecutorProvider,
  table: string,
  secrets: readonly string[],
): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select attname as name from pg_attribute
     where attrelid = ${table}::regclass and attnum > 0 and not attisdropped
     order by attnum`.execute(tx);
  return rows.map(({ name }) => name).filter((name) => !secrets.includes(name));
}

/** A table that inherits from another one, and is no partition of it, is in the map itself. */
function isOwnRow(table: string): RawBuilder<boolean> {
  return sql`(tableoid = ${sql.lit(table)}::regclass
              or tableoid in (select relid from pg_partition_tree(${sql.lit(table)}::regclass)))`;
}

export async function countRows(
  db: QueryExecutorProvider,
  { name, tenantColumn }: TenantTable,
  tenantId: string,
): Promise<number> {
  const { rows } = await sql<{ count: string }>`
    select count(*) as count from ${sql.table(name)}
     where ${sql.ref(tenantColumn)} = ${tenantId} and ${isOwnRow(name)}`.execute(db);
  return Number(rows[0]?.count ?? 0);
}
