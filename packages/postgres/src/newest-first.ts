// Keyset pagination by (created_at, id), newest first, never OFFSET (interface §1).
import { type SelectQueryBuilder, sql } from "kysely";

/**
 * Limits a query over a table with `created_at` and `id` to a page. `cursor` is the last row of the previous page, null for
 * the first one. The query returns up to `limit + 1` rows: the additional one shows whether there is another page.
 */
export function newestFirst<Database, Table extends keyof Database, Row>(
  query: SelectQueryBuilder<Database, Table, Row>,
  page: { limit: number; cursor: { createdAt: Date; id: string } | null },
): SelectQueryBuilder<Database, Table, Row> {
  const { limit, cursor } = page;
  const after =
    cursor === null
      ? query
      : query.where(sql<boolean>`(created_at, id) < (${cursor.createdAt}, ${cursor.id})`);
  return after
    .orderBy(sql`created_at`, "desc")
    .orderBy(sql`id`, "desc")
    .limit(limit + 1);
}
