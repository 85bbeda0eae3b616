// Reads redirects, and locks all redirects of a tenant.
import type { ExportPage, PageQuery, Position } from "@tradepost/http";
import { newestFirst, oldestFirst, type Tenant } from "@tradepost/postgres";
import { type Selectable, sql } from "kysely";
import type { Tables } from "../tables.ts";

export interface Redirect {
  readonly id: string;
  readonly from: string;
  readonly to: string;
  readonly type: number;
  readonly createdAt: Date;
  readonly version: number;
}

/**
 * The version of a redirect in each of its events. A redirect never changes, since a new target is a new redirect, so until it is
 * removed it has the first.
 */
export const VERSION_IN = { "redirect.added": 1, "redirect.removed": 2 } as const;

/**
 * Locks the tenant's redirects until the transaction ends, as `follow_redirects` does. It must be the first lock of the
 * transaction: the change feed is in the order of the transactions' ids, a row lock gives the transaction its id, and a
 * redirect that is created before this lock is free must come before what this transaction does to it
 * (docs/decisions/0014).
 */
export async function lockRedirects({ db, tenantId }: Tenant<Tables>): Promise<void> {
  await sql`select ${redirectsLock(tenantId)}`.execute(db);
}

export function redirectsLock(tenantId: string) {
  return sql`pg_advisory_xact_lock(hashtextextended(${tenantId}, 0))`;
}

export async function findRedirect({ db, tenantId }: Tenant<Tables>, id: string): Promise<Redirect | null> {
  const row = await db
    .selectFrom("redirects")
    .selectAll()
    .where("tenant_id", "=", tenantId)
    .where("id", "=", id)
    .executeTakeFirst();
  return row === undefined ? null : redirectOf(row);
}

export async function findRedirectFrom(tenant: Tenant<Tables>, from: string): Promise<Redirect | null> {
  const row = await selectRedirects(tenant, from).executeTakeFirst();
  return row === undefined ? null : redirectOf(row);
}

export async function listRedirects(
  tenant: Tenant<Tables>,
  { from, ...page }: PageQuery & { from?: string | undefined },
): Promise<Redirect[]> {
  const rows = await newestFirst(selectRedirects(tenant, from), page).execute();
  return rows.map(redirectOf);
}

const EXPORTED_ROWS_MAX = 500;

export async function readRedirectsToExport(
  tenant: Tenant<Tables>,
  { from, after }: { from: string | undefined; after: Position | null },
): Promise<ExportPage<Redirect>> {
  const rows = await oldestFirst(selectRedirects(tenant, from), {
    limit: EXPORTED_ROWS_MAX,
    after,
  }).execute();
  const redirects = rows.slice(0, EXPORTED_ROWS_MAX).map(redirectOf);
  return { rows: redirects, next: rows.length > EXPORTED_ROWS_MAX ? (redirects.at(-1) ?? null) : null };
}

function selectRedirects({ db, tenantId }: Tenant<Tables>, from: string | undefined) {
  const all = db.selectFrom("redirects").selectAll().where("tenant_id", "=", tenantId);
  return from === undefined ? all : all.where("from_path", "=", from);
}

export type RedirectRow = Selectable<Tables["redirects"]>;

export function redirectOf(row: RedirectRow): Redirect {
  return {
    id: row.id,
    from: row.from_path,
    to: row.to_target,
    type: row.type,
    createdAt: row.created_at,
    version: VERSION_IN["redirect.added"],
  };
}
