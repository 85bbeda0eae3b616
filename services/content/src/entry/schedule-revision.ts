// Schedules a revision to go live, by the database's clock, and cancels schedules.
import { ApiError, invalid } from "@tradepost/http";
import { admit, type Cause } from "@tradepost/messaging";
import { sql } from "kysely";
import { storedCauseOf } from "../events.ts";
import type { Tenant } from "../tables.ts";
import { type Entry, entryOf, type Revision } from "./entry-resource.ts";
import type { EntryRow } from "./entry-store.ts";
import { releaseSlugs } from "./slugs.ts";
import { validateForPublication } from "./validate-for-publication.ts";
import { insertEntryEvent, NOT_SCHEDULED, updateEntry } from "./write-entry.ts";

const YEARS_AHEAD_MAX = 5;

/**
 * Schedules the latest revision of a locked entry. Changes nothing for the same time. Throws 422 if the time is past or more
 * than 5 years ahead or the revision is not valid for publication, and 409 `invalid_transition` if it is live already.
 */
export async function scheduleRevision(
  tx: Tenant,
  entry: EntryRow,
  revision: Revision,
  publishAt: Date,
  cause: Cause,
): Promise<Entry> {
  await validatePublishAt(tx, publishAt);
  if (entry.published_revision === revision.revision) {
    throw new ApiError("invalid_transition", "The latest revision of the entry is already live.");
  }
  const isSame =
    entry.scheduled_revision === revision.revision && entry.publish_at?.getTime() === publishAt.getTime();
  if (isSame) return entryOf(entry, revision);
  await validateForPublication(tx, entry, revision);
  admit(cause, "eventBytes");
  const after = await updateEntry(tx, entry, {
    publish_at: publishAt,
    scheduled_revision: revision.revision,
    scheduled_by: JSON.stringify(storedCauseOf(cause)),
    schedule_try_at: publishAt,
    schedule_error: null,
  });
  await releaseSlugs(tx, entry.id);
  const scheduled = entryOf(after, revision);
  await insertEntryEvent(tx, "content.entry.scheduled", scheduled, cause);
  return scheduled;
}

export async function unscheduleRevision(tx: Tenant, entry: EntryRow): Promise<EntryRow> {
  if (entry.publish_at === null) throw new ApiError("invalid_transition", "The entry is not scheduled.");
  const after = await updateEntry(tx, entry, NOT_SCHEDULED);
  await releaseSlugs(tx, entry.id);
  return after;
}

async function validatePublishAt({ db }: Tenant, publishAt: Date): Promise<void> {
  const { rows } = await sql<{ isPast: boolean; isTooFar: boolean }>`
    select ${publishAt}::timestamptz <= now() as "isPast",
           ${publishAt}::timestamptz > now() + ${YEARS_AHEAD_MAX} * interval '1 year' as "isTooFar"`.execute(
    db,
  );
  const [time] = rows;
  if (time?.isPast) throw invalid([{ path: "publishAt", message: "must be in the future" }]);
  if (time?.isTooFar) {
    throw invalid([{ path: "publishAt", message: `must be at most ${YEARS_AHEAD_MAX} years ahead` }]);
  }
}
