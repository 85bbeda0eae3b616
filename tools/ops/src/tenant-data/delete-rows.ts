// Deletes a tenant's rows from a table in batches, each a transaction of its own, so that the service goes on meanwhile.
import type { TenantTable } from "@tradepost/postgres";
import { type Kysely, sql } from "kysely";

const BATCH_ROWS_MAX = 2_000;
const UNDEFINED_TABLE = "42P01";
const DEADLOCK_DETECTED = "40P01";

/** Returns how many rows were deleted. Of a partitioned table it deletes from one partition after the other. */
export async function deleteRows(
  db: Kysely<Record<string, never>>,
  { name, tenantColumn = "tenant_id" }: TenantTable,
  tenantId: string,
): Promise<number> {
  let deletedCount = 0;
  for (const partition of await partitionsOf(db, name)) {
    for (;;) {
      const count = await deleteBatch(db, partition, tenantColumn, tenantId);
      if (count === "again") continue;
      deletedCount += count;
      // A batch leaves out rows that others changed meanwhile.
      if (count === 0) break;
    }
  }
  return deletedCount;
}

/** The table itself, if it is not partitioned. */
async function partitionsOf(db: Kysely<Record<string, never>>, table: string): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select relid::regclass::text as name from pg_partition_tree(${table}::regclass) where isleaf
    union all
    select ${table} where not exists (select from pg_partition_tree(${table}::regclass))`.execute(db);
  return rows.map(({ name }) => name);
}

/** Rows are found by the tenant's index and deleted by their place in the table. */
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
    // The service has dropped the partition with its day.
    if (code === UNDEFINED_TABLE) return 0;
    // The service changes the rows in another order; it has gone on.
    if (code === DEADLOCK_DETECTED) return "again";
    throw error;
  }
}
