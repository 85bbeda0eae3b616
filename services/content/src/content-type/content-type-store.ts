// Writes and reads content types. Whoever writes an entry holds its type until the commit, so that neither changes under
// the other.

import { ApiError, type PageQuery } from "@tradepost/http";
import { type Cause, outboxRow } from "@tradepost/messaging";
import { newestFirst, type TenantDatabase, type TenantStatements } from "@tradepost/postgres";
import { newId } from "@tradepost/runtime";
import type { Selectable } from "kysely";
import type { Tables } from "../tables.ts";
import { type ContentType, isSameType, mayBreakEntries } from "./content-type.ts";
import { type ContentTypeInput, isTypeSlug } from "./content-type-input.ts";
import { findEntryThatBreaks } from "./find-entry-that-breaks.ts";

/**
 * Makes the type, or changes it where that breaks no entry; a change that changes nothing leaves no event. Throws 409
 * `content_type_in_use`. Out: the type, and whether it is new.
 */
export async function putContentType(
  tenant: TenantDatabase<Tables>,
  slug: string,
  input: ContentTypeInput,
  cause: Cause,
): Promise<{ contentType: ContentType; isNew: boolean }> {
  return await tenant.transaction(async (within) => {
    const created = await insertIfNew(within, slug, input);
    if (created !== undefined) {
      await tell(within, created, cause);
      return { contentType: typeOf(created), isNew: true };
    }
    const before = await within.db
      .selectFrom("content_types")
      .selectAll()
      .where("tenant_id", "=", within.tenantId)
      .where("slug", "=", slug)
      .forUpdate()
      .executeTakeFirstOrThrow();
    if (isSameType(before, input)) return { contentType: typeOf(before), isNew: false };
    const entryId = mayBreakEntries(before.fields, input.fields)
      ? await findEntryThatBreaks(within, slug, input.fields)
      : null;
    if (entryId !== null) {
      throw new ApiError("content_type_in_use", `Entry ${entryId} would not be valid any more.`);
    }
    const after = await within.db
      .updateTable("content_types")
      .set({ name: input.name, fields: JSON.stringify(input.fields), version: before.version + 1 })
      .where("tenant_id", "=", within.tenantId)
      .where("slug", "=", slug)
      .returningAll()
      .executeTakeFirstOrThrow();
    await tell(within, after, cause);
    return { contentType: typeOf(after), isNew: false };
  });
}

async function insertIfNew(
  { db, tenantId }: TenantStatements<Tables>,
  slug: string,
  { name, fields }: ContentTypeInput,
) {
  return await db
    .insertInto("content_types")
    .values({ tenant_id: tenantId, id: newId(), slug, name, fields: JSON.stringify(fields) })
    .onConflict((conflict) => conflict.columns(["tenant_id", "slug"]).doNothing())
    .returningAll()
    .executeTakeFirst();
}

async function tell({ db }: TenantStatements<Tables>, row: Row, cause: Cause): Promise<void> {
  const data = { contentType: typeOf(row) };
  await db
    .insertInto("outbox")
    .values(outboxRow("content_type.upserted", row.id, data, cause))
    .execute();
}

export async function findContentType(
  { db, tenantId }: TenantStatements<Tables>,
  slug: string,
): Promise<ContentType | null> {
  // Postgres takes not every text; what is no slug is nobody's.
  if (!isTypeSlug(slug)) return null;
  const row = await db
    .selectFrom("content_types")
    .selectAll()
    .where("tenant_id", "=", tenantId)
    .where("slug", "=", slug)
    .executeTakeFirst();
  return row === undefined ? null : typeOf(row);
}

/** The same, held as it is until the transaction ends. */
export async function holdContentType(
  { db, tenantId }: TenantStatements<Tables>,
  slug: string,
): Promise<ContentType | null> {
  // Postgres takes not every text; what is no slug is nobody's.
  if (!isTypeSlug(slug)) return null;
  const row = await db
    .selectFrom("content_types")
    .selectAll()
    .where("tenant_id", "=", tenantId)
    .where("slug", "=", slug)
    .forShare()
    .executeTakeFirst();
  return row === undefined ? null : typeOf(row);
}

/** The same of several, but for those that are being changed: whoever changes one may take a while. By their slugs. */
export async function holdContentTypes(
  { db, tenantId }: TenantStatements<Tables>,
  slugs: readonly string[],
): Promise<Map<string, ContentType>> {
  const rows = await db
    .selectFrom("content_types")
    .selectAll()
    .where("tenant_id", "=", tenantId)
    .where("slug", "in", slugs)
    .forShare()
    .skipLocked()
    .execute();
  return new Map(rows.map((row) => [row.slug, typeOf(row)]));
}

/** Newest first; one row more than the limit where there is a next page. Ids and times are for the page's cursor. */
export async function listContentTypes({ db, tenantId }: TenantStatements<Tables>, page: PageQuery) {
  const all = db.selectFrom("content_types").selectAll().where("tenant_id", "=", tenantId);
  const rows = await newestFirst(all, page).execute();
  return rows.map((row) => ({ id: row.id, createdAt: row.created_at, contentType: typeOf(row) }));
}

type Row = Selectable<Tables["content_types"]>;

function typeOf({ slug, name, fields, version }: Row): ContentType {
  return { slug, name, fields, version };
}
