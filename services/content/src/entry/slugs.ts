// Claims on slugs. An entry claims the slugs of its latest, live and scheduled revisions, so that no other entry can take
// a path that is, or will be, on the site.
import { ApiError } from "@tradepost/http";
import type { Tenant } from "@tradepost/postgres";
import { sql } from "kysely";
import type { Tables } from "../tables.ts";

interface SlugOwner {
  readonly id: string;
  readonly type: string;
  readonly locale: string;
}

/** Returns false if another entry of the same type and locale has claimed the slug. */
export async function claimSlug(
  { db, tenantId }: Tenant<Tables>,
  { id, type, locale }: SlugOwner,
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

/** Releases slugs that the latest, live and scheduled revisions no longer use. */
export async function releaseSlugs({ db, tenantId }: Tenant<Tables>, ...entryIds: string[]): Promise<void> {
  await db
    .deleteFrom("entry_slugs")
    .where("tenant_id", "=", tenantId)
    .where(sql<boolean>`entry_id = any(${entryIds}::uuid[])`)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom("entries")
            .innerJoin("entry_revisions as needed", (join) =>
              join
                .onRef("needed.tenant_id", "=", "entries.tenant_id")
                .onRef("needed.entry_id", "=", "entries.id")
                .on(({ or, eb, ref }) =>
                  or([
                    eb("needed.revision", "=", ref("entries.revision")),
                    eb("needed.revision", "=", ref("entries.published_revision")),
                    eb("needed.revision", "=", ref("entries.scheduled_revision")),
                  ]),
                ),
            )
            .select("needed.slug")
            .whereRef("entries.tenant_id", "=", "entry_slugs.tenant_id")
            .whereRef("entries.id", "=", "entry_slugs.entry_id")
            .whereRef("needed.slug", "=", "entry_slugs.slug"),
        ),
      ),
    )
    .execute();
}

export function slugTaken(): ApiError {
  return new ApiError("conflict", "Another entry of this type and locale has this slug.");
}
