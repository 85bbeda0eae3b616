// Who holds which slug. An entry holds that of its latest revision, of its live one and of the scheduled one: nobody
// else can take a path that is, or is about to be, on the site.
import { ApiError } from "@tradepost/http";
import type { TenantStatements } from "@tradepost/postgres";
import { sql } from "kysely";
import type { Tables } from "../tables.ts";

interface Holder {
  readonly id: string;
  readonly type: string;
  readonly locale: string;
}

/** Out: false where another entry of the type and locale holds it. */
export async function holdSlug(
  { db, tenantId }: TenantStatements<Tables>,
  { id, type, locale }: Holder,
  slug: string,
): Promise<boolean> {
  const held = { tenant_id: tenantId, type, locale, slug };
  const taken = await db
    .insertInto("entry_slugs")
    .values({ ...held, entry_id: id })
    .onConflict((conflict) => conflict.columns(["tenant_id", "type", "locale", "slug"]).doNothing())
    .returning("entry_id")
    .executeTakeFirst();
  if (taken !== undefined) return true;
  const holder = await db
    .selectFrom("entry_slugs")
    .select("entry_id")
    .where((is) => is.and(held))
    .executeTakeFirst();
  return holder?.entry_id === id;
}

/** Gives up what none of each entry's revisions that count needs any more. */
export async function releaseSlugs(
  { db, tenantId }: TenantStatements<Tables>,
  ...entryIds: string[]
): Promise<void> {
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
