// The one way to read a page of a list: keyset by (created_at, id), newest first, never OFFSET (contract §1).
import { type SelectQueryBuilder, sql } from "kysely";

/**
 * In: a query over a table with `created_at` and `id`, how many rows the page holds, and where the last page ended
 * (null for the first). Out: the query for one row more than the page holds, by which the end of the list is known.
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
