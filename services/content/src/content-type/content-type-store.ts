// Reads and locks content types. Writing an entry locks its type until the commit, so that fields and data cannot change at the
// same time.
import type { PageQuery } from "@tradepost/http";
import { newestFirst } from "@tradepost/postgres";
import { type Selectable, sql } from "kysely";
import type { ContentType, Tables, Tenant } from "../tables.ts";
import { isTypeSlug } from "./content-type-input.ts";

export async function findContentType(tenant: Tenant, slug: string): Promise<ContentType | null> {
  // Postgres refuses some strings, such as one with U+0000.
  const row = isTypeSlug(slug) ? await withSlug(tenant, slug).executeTakeFirst() : undefined;
  return row === undefined ? null : typeOf(row);
}

export async function lockContentType(tx: Tenant, slug: string): Promise<ContentType | null> {
  const row = isTypeSlug(slug) ? await withSlug(tx, slug).forShare().executeTakeFirst() : undefined;
  return row === undefined ? null : typeOf(row);
}

/** Skips types that are being changed, which may take a while. */
export async function lockContentTypes(
  tenant: Tenant,
  slugs: readonly string[],
): Promise<Map<string, ContentType>> {
  const named = typesOf(tenant).where(sql<boolean>`slug = any(${slugs})`);
  const rows = await named.forShare().skipLocked().execute();
  return new Map(rows.map((row) => [row.slug, typeOf(row)]));
}

export async function listContentTypes(tenant: Tenant, page: PageQuery) {
  const rows = await newestFirst(typesOf(tenant), page).execute();
  return rows.map((row) => ({ id: row.id, createdAt: row.created_at, contentType: typeOf(row) }));
}

export function withSlug(tenant: Tenant, slug: string) {
  return typesOf(tenant).where("slug", "=", slug);
}

function typesOf({ db, tenantId }: Tenant) {
  return db.selectFrom("content_types").selectAll().where("tenant_id", "=", tenantId);
}

export type ContentTypeRow = Selectable<Tables["content_types"]>;

export function typeOf({ slug, name, fields, version }: ContentTypeRow): ContentType {
  return { slug, name, fields, version };
}
