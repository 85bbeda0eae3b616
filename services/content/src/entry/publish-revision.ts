// Publishes and unpublishes a revision. If the entry's path changes, a redirect leads to the new one.
import { ApiError } from "@tradepost/http";
import { type AdmittedCause, admit, type Cause } from "@tradepost/messaging";
import { sql } from "kysely";
import { redirectsLock, retargetRedirects } from "../redirect/redirect.ts";
import type { Tenant } from "../tables.ts";
import { type Entry, entryOf, entryPath, type Revision } from "./entry-resource.ts";
import { type EntryRow, findRevision } from "./entry-store.ts";
import { releaseSlugs } from "./slugs.ts";
import { validateForPublication } from "./validate-for-publication.ts";
import { insertEntryEvent, NOT_SCHEDULED, updateEntry } from "./write-entry.ts";

/**
 * Locks the tenant's redirects if publishing the latest revision would move the entry, or `always`. Call it before the entry is
 * locked. Returns whether the redirects are locked.
 */
export async function lockRedirectsOfMove(
  { db, tenantId }: Tenant,
  id: string,
  { always }: { always: boolean },
): Promise<boolean> {
  const { rows } = await sql`
    select ${redirectsLock(tenantId)} from entries
     where tenant_id = ${tenantId} and id = ${id}
       and (${always} or slug is distinct from (
         select slug from entry_revisions
          where entry_revisions.tenant_id = entries.tenant_id and entry_id = entries.id
            and entry_revisions.revision = published_revision))`.execute(db);
  return rows.length > 0;
}

/**
 * Publishes a revision of a locked entry and cancels its schedule. Writes no event if the revision is live already. Returns null, and
 * writes nothing, if the entry moves but the redirects are not locked. Throws 422 if the revision is not valid for publication.
 */
export async function publishRevision(
  tx: Tenant,
  entry: EntryRow,
  revision: Revision,
  { cause, areRedirectsLocked }: { cause: Cause; areRedirectsLocked: boolean },
): Promise<Entry | null> {
  const isLiveAlready = entry.published_revision === revision.revision;
  if (isLiveAlready && entry.publish_at === null) return entryOf(entry, revision);
  const liveBefore = await liveRevision(tx, entry);
  const isMove = liveBefore?.slug !== revision.slug;
  if (isMove && !areRedirectsLocked) return null;
  if (!isLiveAlready) await validateForPublication(tx, entry, revision);
  const after = await updateEntry(tx, entry, {
    ...NOT_SCHEDULED,
    published_revision: revision.revision,
    ...(!isLiveAlready && { published_at: sql<Date>`now()` }),
  });
  await releaseSlugs(tx, entry.id);
  const published = entryOf(after, revision);
  if (isLiveAlready) return published;
  admit(cause, "eventBytes");
  if (isMove) {
    const to = entryPath({ ...entry, slug: revision.slug });
    const from = liveBefore === null ? null : entryPath({ ...entry, slug: liveBefore.slug });
    await retargetRedirects(tx, [{ from, to, cause }]);
  }
  await insertEntryEvent(tx, "content.entry.published", published, cause);
  return published;
}

export async function unpublishRevision(tx: Tenant, entry: EntryRow, cause: AdmittedCause) {
  const live = await liveRevision(tx, entry);
  if (live === null) throw new ApiError("invalid_transition", "The entry is not live.");
  const after = await updateEntry(tx, entry, {
    ...NOT_SCHEDULED,
    published_revision: null,
    published_at: null,
  });
  await releaseSlugs(tx, entry.id);
  await insertEntryEvent(tx, "content.entry.unpublished", entryOf(after, live), cause);
  return after;
}

async function liveRevision(tx: Tenant, { id, published_revision }: EntryRow) {
  return published_revision === null ? null : await findRevision(tx, id, published_revision);
}
