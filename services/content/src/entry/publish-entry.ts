// Takes an entry live and down again, at once or when its time has come. What goes live is judged in full first; where its
// path moves, a redirect leads there.

import { ApiError, type FieldFault, invalid } from "@tradepost/http";
import type { Cause } from "@tradepost/messaging";
import type { TenantStatements } from "@tradepost/postgres";
import { sql } from "kysely";
import { holdContentType } from "../content-type/content-type-store.ts";
import { moveRedirects } from "../redirect/move-redirects.ts";
import type { Tables } from "../tables.ts";
import { type Entry, entryOf, entryPath, type Revision } from "./entry.ts";
import { dataFaults } from "./entry-data.ts";
import { type EntryRow, findRevision } from "./entry-store.ts";
import { findUnknownIds } from "./find-unknown-ids.ts";
import { releaseSlugs } from "./slugs.ts";
import { NOT_SCHEDULED, updateEntry } from "./update-entry.ts";
import { tell } from "./write-entry.ts";

/** Throws 422 with every fault of the revision's data: what is missing, what does not fit, what leads nowhere. */
export async function judgeWhole(
  within: TenantStatements<Tables>,
  { type }: EntryRow,
  { data }: Revision,
): Promise<void> {
  const contentType = await holdContentType(within, type);
  const fields = contentType?.fields ?? [];
  const faults: FieldFault[] = dataFaults(data, fields, { isToBeWhole: true });
  const [unknown = []] = await findUnknownIds(within, [{ data, fields }]);
  if (faults.length + unknown.length > 0) throw invalid([...faults, ...unknown]);
}

/**
 * In: a locked entry and the revision to go live. Whatever was scheduled is so no more. Where the revision is live
 * already, there is no event. Throws as `judgeWhole`.
 */
export async function publishRevision(
  within: TenantStatements<Tables>,
  entry: EntryRow,
  revision: Revision,
  cause: Cause,
): Promise<Entry> {
  const isLiveAlready = entry.published_revision === revision.revision;
  if (isLiveAlready && entry.publish_at === null) return entryOf(entry, revision);
  if (!isLiveAlready) await judgeWhole(within, entry, revision);
  const liveBefore = await liveRevision(within, entry);
  const after = await updateEntry(within, entry, {
    ...NOT_SCHEDULED,
    published_revision: revision.revision,
    ...(!isLiveAlready && { published_at: sql<Date>`now()` }),
  });
  await releaseSlugs(within, entry.id);
  const shown = entryOf(after, revision);
  if (isLiveAlready) return shown;
  if (liveBefore?.slug !== revision.slug) {
    const to = entryPath({ ...entry, slug: revision.slug });
    const from = liveBefore === null ? null : entryPath({ ...entry, slug: liveBefore.slug });
    await moveRedirects(within, [{ from, to, cause }]);
  }
  await tell(within, "content.entry.published", shown, cause);
  return shown;
}

/**
 * In: a locked entry. It is a draft again, with nothing scheduled. Throws 409 `invalid_transition` where it is not live.
 */
export async function unpublishEntry(
  within: TenantStatements<Tables>,
  entry: EntryRow,
  cause: Cause,
): Promise<EntryRow> {
  const live = await liveRevision(within, entry);
  if (live === null) throw new ApiError("invalid_transition", "The entry is not live.");
  const after = await updateEntry(within, entry, {
    ...NOT_SCHEDULED,
    published_revision: null,
    published_at: null,
  });
  await releaseSlugs(within, entry.id);
  await tell(within, "content.entry.unpublished", entryOf(after, live), cause);
  return after;
}

async function liveRevision(
  within: TenantStatements<Tables>,
  { id, published_revision }: EntryRow,
): Promise<Revision | null> {
  return published_revision === null ? null : await findRevision(within, id, published_revision);
}
