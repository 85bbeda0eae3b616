// An entry claims the slugs of its latest, live and scheduled revisions, so that no other entry can take a path that is, or
// will be, on the site.
import { ApiError } from "@tradepost/http";
import { sql } from "kysely";
import type { Tenant } from "../tables.ts";

export async function claimSlug(
  { db, tenantId }: Tenant,
  { id, type, locale }: { readonly id: string; readonly type: string; readonly locale: string },
  slug: string,
): Promise<boolean> {
  const claim = { tenant_id: tenantId, type, locale, slug };
  const inserted = await db
    .insertInto("entry_slugs")
    .values({ ...claim, entry_id: id })
    .onConflict((conflict) => conflict.columns(["tenant_id", "type", "locale", "slug"]).doNothing())
    .returning("entry_id")
    .executeTakeFirst();
  if (inserted !== undefined) return true;
  const owner = await db
    .selectFrom("entry_slugs")
    .select("entry_id")
    .where((is) => is.and(claim))
    .executeTakeFirst();
  return owner?.entry_id === id;
}

/**
 * Releases slugs that the latest, live and scheduled revisions do not use. The subqueries keep the planner from joining the
 * tables: with old statistics, it would read all of the tenant's entries for each slug.
 */
export async function releaseSlugs({ db, tenantId }: Tenant, ...entryIds: string[]): Promise<void> {
  await sql`
    with needed as materialized (
      select id, array(select slug from entry_revisions
                        where entry_revisions.tenant_id = entries.tenant_id and entry_id = entries.id
                          and entry_revisions.revision
                              in (entries.revision, published_revision, scheduled_revision)) as slugs
        from entries where tenant_id = ${tenantId} and id = any(${entryIds}::uuid[]))
    delete from entry_slugs
     where tenant_id = ${tenantId} and entry_id = any(${entryIds}::uuid[])
       and slug <> all (select unnest(slugs) from needed where needed.id = entry_slugs.entry_id)`.execute(db);
}

export function slugTaken(): ApiError {
  return new ApiError("conflict", "Another entry of this type and locale has this slug.");
}
