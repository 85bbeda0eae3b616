// Reads redirects, and locks all redirects of a tenant.
import type { ExportPage, Position } from "@tradepost/http";
import { oldestFirst } from "@tradepost/postgres";
import { readExportPage } from "@tradepost/search";
import { type Selectable, sql } from "kysely";
import { countNewest, hasWords, searchNewest } from "../search.ts";
import type { Tables, Tenant } from "../tables.ts";
import type { RedirectsQuery } from "./redirect-input.ts";

export type Redirect = ReturnType<typeof redirectOf>;

/** The version in each event. A redirect never changes, because a new target is a new redirect. */
export const VERSION_IN = { "redirect.added": 1, "redirect.removed": 2 } as const;

/**
 * Locks the tenant's redirects until the transaction ends, as `follow_redirects` does. It must be the first lock of the
 * transaction: the change feed is in the order of the transactions' ids, a row lock gives the transaction its id, and a
 * redirect that is created before this lock is free must come before what this transaction does to it
 * (docs/decisions/0014).
 */
export async function lockRedirects({ db, tenantId }: Tenant): Promise<void> {
  await sql`select ${redirectsLock(tenantId)}`.execute(db);
}

export function redirectsLock(tenantId: string) {
  return sql`pg_advisory_xact_lock(hashtextextended(${tenantId}, 0))`;
}

export async function findRedirect({ db, tenantId }: Tenant, id: string): Promise<Redirect | null> {
  const row = await db
    .selectFrom("redirects")
    .selectAll()
    .where("tenant_id", "=", tenantId)
    .where("id", "=", id)
    .executeTakeFirst();
  return row === undefined ? null : redirectOf(row);
}

export async function findRedirectFrom(tenant: Tenant, from: string): Promise<Redirect | null> {
  const row = await selectRedirects(tenant, from).executeTakeFirst();
  return row === undefined ? null : redirectOf(row);
}

const WORDS = {
  words: sql`words_of_redirect(tenant_id, from_path, to_target)`,
  find: "find_redirects",
} as const;

/** The first page if `cursor` is null. `end` is as for `cursorPage`. */
export async function listRedirects(tenant: Tenant, query: RedirectsQuery) {
  const found = await searchNewest(tenant, selectRedirects(tenant, query.from), query, WORDS);
  const { rows } = await sql<RedirectRow>`${found.rows}`.execute(tenant.db);
  const end = rows.length > query.limit ? null : await found.end();
  return { redirects: rows.map(redirectOf), end };
}

export async function countRedirects(tenant: Tenant, query: RedirectsQuery) {
  return await countNewest(tenant, selectRedirects(tenant, query.from), query, WORDS);
}

const EXPORTED_ROWS_MAX = 500;

export async function readRedirectsToExport(
  tenant: Tenant,
  { from, search }: Pick<RedirectsQuery, "from" | "search">,
  after: Position | null,
): Promise<ExportPage<Redirect>> {
  return await readExportPage(tenant, {
    matching: selectRedirects(tenant, from),
    condition: search && hasWords(tenant, WORDS, search),
    after,
    read: async (matching, after) => {
      const rows = await oldestFirst(matching, { limit: EXPORTED_ROWS_MAX, after }).execute();
      const hasMore = rows.length > EXPORTED_ROWS_MAX;
      return { rows: rows.slice(0, EXPORTED_ROWS_MAX).map(redirectOf), hasMore };
    },
  });
}

function selectRedirects({ db, tenantId }: Tenant, from: string | undefined) {
  const all = db.selectFrom("redirects").selectAll().where("tenant_id", "=", tenantId);
  return from === undefined ? all : all.where("from_path", "=", from);
}

export type RedirectRow = Selectable<Tables["redirects"]>;

export function redirectOf(row: RedirectRow) {
  return {
    id: row.id,
    from: row.from_path,
    to: row.to_target,
    type: row.type,
    createdAt: row.created_at,
    version: VERSION_IN["redirect.added"],
  };
}
