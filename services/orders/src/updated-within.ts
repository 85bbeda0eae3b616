// Filters lists by the time of the latest change. Lists are ordered by creation, and the faster index depends on how many rows
// have changed. Few rows are found by the index on updated_at and sorted. If there are many, the newest are soon found in the
// order of creation. The planner cannot tell from its statistics, so the rows are counted first.
import type { TenantDatabase } from "@tradepost/postgres";
import { type RawBuilder, sql } from "kysely";
import type { Tables } from "./tables.ts";

/**
 * The time of a change, for an `update`. It is later than the previous change and the creation, even if the clock was set back.
 */
export const NEXT_UPDATED_AT = "greatest(statement_timestamp(), updated_at + interval '1 ms')";

// Finding and sorting this many rows takes milliseconds.
const FEW_ROWS_MAX = 2_000;

/**
 * Returns the conditions for the query of the list. `updatedAfter` is inclusive, `updatedBefore` exclusive. Rows created after
 * `updatedBefore` are not read, because a row is created before it changes. The extra day is for rows of version 0.2.0: their
 * `updated_at` may be before `created_at`, if the database's clock was set back in between.
 */
export async function updatedWithin(
  tenant: TenantDatabase<Tables>,
  table: "orders" | "customers",
  { updatedAfter, updatedBefore }: { updatedAfter?: string | undefined; updatedBefore?: string | undefined },
): Promise<RawBuilder<boolean>[]> {
  const conditions = [
    ...(updatedAfter === undefined ? [] : [sql<boolean>`updated_at >= ${updatedAfter}`]),
    ...(updatedBefore === undefined
      ? []
      : [
          sql<boolean>`updated_at < ${updatedBefore}`,
          sql<boolean>`created_at < ${updatedBefore}::timestamptz + interval '1 day'`,
        ]),
  ];
  if (conditions.length === 0) return [];
  const changed = tenant.db.selectFrom(table).select("id").where("tenant_id", "=", tenant.tenantId);
  const matching = conditions.reduce((rows, condition) => rows.where(condition), changed);
  const { sql: text, parameters } = matching.limit(FEW_ROWS_MAX + 1).compile();
  const { rows } = await tenant.query<{ count: string }>({
    text: `select count(*) from (${text}) changed`,
    values: [...parameters],
    isPrepared: false,
  });
  return Number(rows[0]?.count) > FEW_ROWS_MAX ? conditions : [sql<boolean>`id = any(array(${matching}))`];
}
