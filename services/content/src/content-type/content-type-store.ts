// Reads and locks content types. Writing an entry locks its type until the commit, so that fields and data cannot change at the
// same time.
import type { PageQuery } from "@tradepost/http";
import { newestFirst, type Tenant } from "@tradepost/postgres";
import { type Selectable, sql } from "kysely";
import type { Tables } from "../tables.ts";
import { isTypeSlug } from "./content-type-input.ts";
import type { ContentType } from "./fields.ts";

export async function findContentType(tenant: Tenant<Tables>, slug: string): Promise<ContentType | null> {
  // Postgres refuses some strings, such as one with U+0000.
  if (!isTypeSlug(slug)) return null;
  const row = await withSlug(tenant, slug).executeTakeFirst();
  return row === undefined ? null : typeOf(row);
}

export async function lockContentType(tx: Tenant<Tables>, slug: string): Promise<ContentType | null> {
  if (!isTypeSlug(slug)) return null;
  const row = await withSlug(tx, slug).forShare().executeTakeFirst();
  return row === undefined ? null : typeOf(row);
}

/** Locks several types. Skips one that is being changed, which may take a while. */
export async function lockContentTypes(
  { db, tenantId }: Tenant<Tables>,
  slugs: readonly string[],
): Promise<Map<string, ContentType>> {
  const rows = await db
    .selectFrom("content_types")
    .selectAll()
    .where("tenant_id", "=", tenantId)
    .where(sql<boolean>`slug = any(${slugs})`)
    .forShare()
    .skipLocked()
    .execute();
  return new Map(rows.map((row) => [row.slug, typeOf(row)]));
}

export async function listContentTypes({ db, tenantId }: Tenant<Tables>, page: PageQuery) {
  const all = db.selectFrom("content_types").selectAll().where("tenant_id", "=", tenantId);
  const rows = await newestFirst(all, page).execute();
  return rows.map((row) => ({ id: row.id, createdAt: row.created_at, contentType: typeOf(row) }));
}

function withSlug({ db, tenantId }: Tenant<Tables>, slug: string) {
  return db
    .selectFrom("content_types")
    .selectAll()
    .where("tenant_id", "=", tenantId)
    .where("slug", "=", slug);
}

export type ContentTypeRow = Selectable<Tables["content_types"]>;

export function typeOf({ slug, name, fields, version }: ContentTypeRow): ContentType {
  return { slug, name, fields, version };
}
