// Pins a revision that is to go live at a time, and lets go of it again. By the database's clock alone.

import { ApiError, invalid } from "@tradepost/http";
import type { Cause } from "@tradepost/messaging";
import type { TenantStatements } from "@tradepost/postgres";
import { sql } from "kysely";
import { onBehalfOf } from "../cause.ts";
import type { Tables } from "../tables.ts";
import { type Entry, entryOf, type Revision } from "./entry.ts";
import type { EntryRow } from "./entry-store.ts";
import { judgeWhole } from "./publish-entry.ts";
import { releaseSlugs } from "./slugs.ts";
import { NOT_SCHEDULED, updateEntry } from "./update-entry.ts";
import { tell } from "./write-entry.ts";

const YEARS_AHEAD_MAX = 5;

/**
 * In: a locked entry and its latest revision. Where the same is scheduled for the same time already, nothing happens.
 * Throws 422 where the time is past or too far off, or the revision is not whole; 409 `invalid_transition` where it is
 * live already.
 */
export async function scheduleRevision(
  within: TenantStatements<Tables>,
  entry: EntryRow,
  revision: Revision,
  publishAt: Date,
  cause: Cause,
): Promise<Entry> {
  await judgeTime(within, publishAt);
  if (entry.published_revision === revision.revision) {
    throw new ApiError(
      "invalid_transition",
      "The entry is live as it is: there is nothing to publish later.",
    );
  }
  const isSame =
    entry.scheduled_revision === revision.revision && entry.publish_at?.getTime() === publishAt.getTime();
  if (isSame) return entryOf(entry, revision);
  await judgeWhole(within, entry, revision);
  const after = await updateEntry(within, entry, {
    publish_at: publishAt,
    scheduled_revision: revision.revision,
    scheduled_by: JSON.stringify(onBehalfOf(cause)),
    schedule_try_at: publishAt,
    schedule_error: null,
  });
  await releaseSlugs(within, entry.id);
  const shown = entryOf(after, revision);
  await tell(within, "content.entry.scheduled", shown, cause);
  return shown;
}

/** In: a locked entry. Throws 409 `invalid_transition` where nothing is scheduled. */
export async function unscheduleEntry(within: TenantStatements<Tables>, entry: EntryRow): Promise<EntryRow> {
  if (entry.publish_at === null) throw new ApiError("invalid_transition", "Nothing is scheduled.");
  const after = await updateEntry(within, entry, NOT_SCHEDULED);
  await releaseSlugs(within, entry.id);
  return after;
}

async function judgeTime({ db }: TenantStatements<Tables>, publishAt: Date): Promise<void> {
  const { rows } = await sql<{ isPast: boolean; isTooFar: boolean }>`
    select ${publishAt}::timestamptz <= now() as "isPast",
           ${publishAt}::timestamptz > now() + ${YEARS_AHEAD_MAX} * interval '1 year' as "isTooFar"`.execute(
    db,
  );
  const [judged] = rows;
  if (judged?.isPast) throw invalid([{ path: "publishAt", message: "must be in the future" }]);
  if (judged?.isTooFar) {
    throw invalid([{ path: "publishAt", message: `must be at most ${YEARS_AHEAD_MAX} years ahead` }]);
  }
}
