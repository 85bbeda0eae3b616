// Deletes a tenant's rows from a table in batches, each in its own transaction, so that the service can continue to work.
import type { TenantTable } from "@tradepost/data-map";
import { type Kysely, sql } from "kysely";

const BATCH_ROWS_MAX = 2_000;
const UNDEFINED_TABLE = "42P01";
const DEADLOCK_DETECTED = "40P01";

/** Returns the number of deleted rows. If the table is partitioned, deletes from one partition after the other. */
export async function deleteRows(
  db: Kysely<Record<string, never>>,
  { name, tenantColumn }: Pick<TenantTable, "name" | "tenantColumn">,
  tenantId: string,
): Promise<number> {
  let deletedCount = 0;
  for (const partition of await partitionsOf(db, name)) {
    for (;;) {
      const count = await deleteBatch(db, partition, tenantColumn, tenantId);
      if (count === "again") continue;
      deletedCount += count;
      // A batch can be smaller than its limit, because it skips rows that others changed meanwhile.
      if (count === 0) break;
    }
  }
  return deletedCount;
}

/** Returns the table itself if it is not partitioned. */
async function partitionsOf(db: Kysely<Record<string, never>>, table: string): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select relid::regclass::text as name from pg_partition_tree(${table}::regclass) where isleaf
    union all
    select ${table} where not exists (select from pg_partition_tree(${table}::regclass))`.execute(db);
  return rows.map(({ name }) => name);
}

/** Finds rows by the tenant's index and deletes them by their physical location. */
async function deleteBatch(
  db: Kysely<Record<string, never>>,
  table: string,
  tenantColumn: string,
  tenantId: string,
): Promise<number | "again"> {
  try {
    const { numAffectedRows } = await sql`
      delete from only ${sql.table(table)}
       where ctid = any(array(select ctid from only ${sql.table(table)}
                               where ${sql.ref(tenantColumn)} = ${tenantId} limit ${BATCH_ROWS_MAX}))`.execute(
      db,
    );
    return Number(numAffectedRows ?? 0);
  } catch (error) {
    const code = Error.isError(error) && "code" in error ? error.code : undefined;
    // The service has dropped the partition because its day is over.
    if (code === UNDEFINED_TABLE) return 0;
    // The service locked the rows in another order. Its transaction was not the one that failed.
    if (code === DEADLOCK_DETECTED) return "again";
    throw error;
  }
}
