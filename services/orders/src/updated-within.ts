// Filters lists by the time of the latest change. A few changed rows are found by the index on updated_at and sorted; of many
// changed rows, the newest are soon found in the order of creation. The planner cannot tell, so the rows are counted first.
import { queryUnprepared } from "@tradepost/postgres";
import { type RawBuilder, sql } from "kysely";
import type { Tenant } from "./tables.ts";

/** Later than the previous change and the creation, even if the clock was set back. */
export const NEXT_UPDATED_AT = "greatest(statement_timestamp(), updated_at + interval '1 ms')";

// Sorting them takes milliseconds.
const FEW_ROWS_MAX = 2_000;

/** `updatedAfter` is inclusive, `updatedBefore` exclusive. Rows created since `updatedBefore` are not read. */
export async function updatedWithin(
  tenant: Tenant,
  table: "orders" | "customers",
  { updatedAfter, updatedBefore }: { updatedAfter?: string | undefined; updatedBefore?: string | undefined },
): Promise<RawBuilder<boolean>[]> {
  const conditions = [
    ...(updatedAfter === undefined ? [] : [sql<boolean>`updated_at >= ${updatedAfter}`]),
    ...(updatedBefore === undefined
      ? []
      : [
          sql<boolean>`updated_at < ${updatedBefore}`,
          sql<boolean>`created_at < ${updatedBefore}::timestamptz`,
        ]),
  ];
  if (conditions.length === 0) return [];
  const changed = tenant.db.selectFrom(table).select("id").where("tenant_id", "=", tenant.tenantId);
  const matching = conditions.reduce((rows, condition) => rows.where(condition), changed);
  const [found] = await queryUnprepared(
    tenant,
    sql<{ count: string }>`select count(*) from (${matching.limit(FEW_ROWS_MAX + 1)}) changed`,
  );
  return Number(found?.count) > FEW_ROWS_MAX ? conditions : [sql<boolean>`id = any(array(${matching}))`];
}
