// Publishes a revision of an entry, and unpublishes it. If the entry's path changes, a redirect leads to the new one.
import { ApiError } from "@tradepost/http";
import type { Cause } from "@tradepost/messaging";
import type { Tenant } from "@tradepost/postgres";
import { sql } from "kysely";
import { retargetRedirects } from "../redirect/retarget-redirects.ts";
import type { Tables } from "../tables.ts";
import { type Entry, entryOf, entryPath, type Revision } from "./entry.ts";
import { insertEntryEvent } from "./entry-events.ts";
import { type EntryRow, findRevision } from "./entry-store.ts";
import { releaseSlugs } from "./slugs.ts";
import { NOT_SCHEDULED, updateEntry } from "./update-entry.ts";
import { validateForPublication } from "./validate-for-publication.ts";

/**
 * Publishes a revision of a locked entry and cancels its schedule. If the revision is live already, writes no event.
 * Throws 422 if the revision is not valid for publication.
 */
export async function publishRevision(
  tx: Tenant<Tables>,
  entry: EntryRow,
  revision: Revision,
  cause: Cause,
): Promise<Entry> {
  const isLiveAlready = entry.published_revision === revision.revision;
  if (isLiveAlready && entry.publish_at === null) return entryOf(entry, revision);
  if (!isLiveAlready) await validateForPublication(tx, entry, revision);
  const liveBefore = await liveRevision(tx, entry);
  const after = await updateEntry(tx, entry, {
    ...NOT_SCHEDULED,
    published_revision: revision.revision,
    ...(!isLiveAlready && { published_at: sql<Date>`now()` }),
  });
  await releaseSlugs(tx, entry.id);
  const published = entryOf(after, revision);
  if (isLiveAlready) return published;
  if (liveBefore?.slug !== revision.slug) {
    const to = entryPath({ ...entry, slug: revision.slug });
    const from = liveBefore === null ? null : entryPath({ ...entry, slug: liveBefore.slug });
    await retargetRedirects(tx, [{ from, to, cause }]);
  }
  await insertEntryEvent(tx, "content.entry.published", published, cause);
  return published;
}

/** Turns a locked entry into a draft and cancels its schedule. Throws 409 `invalid_transition` if it is not live. */
export async function unpublishRevision(
  tx: Tenant<Tables>,
  entry: EntryRow,
  cause: Cause,
): Promise<EntryRow> {
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

async function liveRevision(
  tx: Tenant<Tables>,
  { id, published_revision }: EntryRow,
): Promise<Revision | null> {
  return published_revision === null ? null : await findRevision(tx, id, published_revision);
}
