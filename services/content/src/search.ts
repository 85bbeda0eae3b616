// Finds redirects, media and entries by their words (interface §19), by an index of all tenants' words.
//
// If the newest rows fill the page, the index is not read. If the index finds few rows, they are the candidates. If it finds
// many, more of the newest rows are compared, and a page may end early.
import type { PageQuery, Position } from "@tradepost/http";
import { newestFirst } from "@tradepost/postgres";
import { COUNT_MAX, countRows, type SearchedWord } from "@tradepost/search";
import { type Expression, type RawBuilder, type SelectQueryBuilder, sql } from "kysely";
import type { Tenant } from "./tables.ts";

const FEW_IDS_MAX = 1_000;
const COUNTED_IDS_MAX = 10_000;
// Comparing these rows takes about 20 ms and 150 ms; the index takes up to half a second for a word of a million rows.
const PROBED_ROWS_MAX = 300;
const WALKED_ROWS_MAX = 2_000;

interface Searched {
  /** The words of a row, as the index has them. */
  readonly words: RawBuilder<unknown>;
  readonly find: "find_redirects" | "find_media" | "find_entries";
}

export function hasWords({ tenantId }: Tenant, { words }: Searched, search: Words) {
  return sql<boolean>`${words} @@ ${tsqueryOf(tenantId, search)}::tsquery`;
}

type Words = readonly SearchedWord[];

function tsqueryOf(tenantId: string, search: Words): string {
  const prefix = tenantId.slice(-8);
  const lexeme = (word: string) => `'${(prefix + word).replace(/['\\]/g, "$&$&")}':*`;
  return search.map((spellings) => `(${spellings.map(lexeme).join(" | ")})`).join(" & ");
}

interface Query extends PageQuery {
  readonly search?: Words | undefined;
}

/** `end` returns where the next page begins if it is not behind the last row. */
export async function searchNewest<Database, Table extends keyof Database, Row>(
  tenant: Tenant,
  matching: SelectQueryBuilder<Database, Table, Row>,
  { search, limit, cursor }: Query,
  searched: Searched,
): Promise<{ rows: Expression<Row>; end: () => Promise<Position | null> }> {
  const noEnd = async () => null;
  if (search === undefined) return { rows: newestFirst(matching, { limit, cursor }), end: noEnd };
  const condition = hasWords(tenant, searched, search);
  const newest = (rowsMax: number) => newestFirst(matching, { limit: rowsMax, cursor });
  const among = (rowsMax: number) => sql<Row>`
    select * from (${newest(rowsMax)}) newest where ${condition} order by created_at desc, id desc limit ${limit + 1}`;
  const { count } = await countRows(tenant, among(PROBED_ROWS_MAX));
  if (count > limit) return { rows: among(PROBED_ROWS_MAX), end: noEnd };
  const ids = await findIds(tenant, searched, search, FEW_IDS_MAX);
  if (ids.length <= FEW_IDS_MAX) {
    const found = matching.where(sql<boolean>`id = any(${ids}::uuid[])`).where(condition);
    return { rows: newestFirst(found, { limit, cursor }), end: noEnd };
  }
  return {
    rows: among(WALKED_ROWS_MAX),
    end: async () => {
      const end = await sql<Position>`
        select created_at as "createdAt", id from (${newest(WALKED_ROWS_MAX)}) newest offset ${WALKED_ROWS_MAX}`.execute(
        tenant.db,
      );
      return end.rows[0] ?? null;
    },
  };
}

/** Counts the rows of a list, for `count=true`. */
export async function countNewest<Database, Table extends keyof Database, Row>(
  tenant: Tenant,
  matching: SelectQueryBuilder<Database, Table, Row>,
  { search }: Query,
  searched: Searched,
) {
  if (search === undefined) return await countRows(tenant, matching.limit(COUNT_MAX + 1));
  const ids = await findIds(tenant, searched, search, COUNTED_IDS_MAX);
  const found = matching
    .where(sql<boolean>`id = any(${ids}::uuid[])`)
    .where(hasWords(tenant, searched, search));
  return await countRows(tenant, found.limit(COUNT_MAX + 1), async () => ids.length > COUNTED_IDS_MAX);
}

async function findIds(
  { db, tenantId }: Tenant,
  { find }: Searched,
  search: Words,
  most: number,
): Promise<readonly string[]> {
  const { rows } = await sql<{ ids: string[] }>`
    select array(select ${sql.ref(find)}(${tsqueryOf(tenantId, search)}::tsquery, ${most + 1})) as ids`.execute(
    db,
  );
  return rows[0]?.ids ?? [];
}
