// Takes a batch of a tenant's due entries live, in one transaction and about a dozen statements, whatever their number.
// An entry that cannot go live does not hold up the others: each is judged by itself before anything is written.
import { type FieldFault, invalid } from "@tradepost/http";
import { outboxRow } from "@tradepost/messaging";
import type { TenantStatements } from "@tradepost/postgres";
import { sql } from "kysely";
import { causeOf } from "../cause.ts";
import { holdContentTypes } from "../content-type/content-type-store.ts";
import { moveRedirects } from "../redirect/move-redirects.ts";
import type { Tables } from "../tables.ts";
import { entryOf, entryPath } from "./entry.ts";
import { dataFaults } from "./entry-data.ts";
import type { EntryRow } from "./entry-store.ts";
import { claimDue, type DueEntry } from "./find-due.ts";
import { findUnknownIds } from "./find-unknown-ids.ts";
import { releaseSlugs } from "./slugs.ts";

// Locks are held for a moment by those who change entries; whoever waits longer has a tenant's turn for nothing.
const LOCK_WAIT_MS = 2_000;
const TRY_AGAIN_SECONDS = 60;
// A content type that is being changed: that takes a moment, and is no failure.
const TYPE_HELD_SECONDS = 1;

export interface Failure {
  readonly id: string;
  readonly why: string;
}

/**
 * In: `claimed`, which gets the ids of the entries in hand, also where this fails; and the one entry that is wanted, if
 * not all. Passes over what another replica has in hand. Out: how many went live, and how many could not.
 */
export async function publishBatch(
  within: TenantStatements<Tables>,
  claimed: string[],
  only?: string,
): Promise<{ publishedCount: number; failedCount: number }> {
  await sql`select set_config('lock_timeout', ${String(LOCK_WAIT_MS)}, true)`.execute(within.db);
  const due = await claimDue(within, only);
  claimed.push(...due.map(({ entry }) => entry.id));
  if (due.length === 0) return { publishedCount: 0, failedCount: 0 };
  const { whole, failures, typeHeld } = await judge(within, due);
  await goLive(within, whole);
  await noteFailures(within, failures);
  await postpone(within, typeHeld);
  return { publishedCount: whole.length, failedCount: failures.length };
}

async function judge(within: TenantStatements<Tables>, due: readonly DueEntry[]) {
  const types = await holdContentTypes(within, [...new Set(due.map(({ entry }) => entry.type))]);
  const free = due.filter(({ entry }) => types.has(entry.type));
  const fieldsOf = ({ entry }: DueEntry) => types.get(entry.type)?.fields ?? [];
  const unknown = await findUnknownIds(
    within,
    free.map((one) => ({ data: one.revision?.data ?? {}, fields: fieldsOf(one) })),
  );
  const whole: DueEntry[] = [];
  const failures: Failure[] = [];
  for (const [index, one] of free.entries()) {
    const why = whyNot(
      one,
      dataFaults(one.revision?.data ?? {}, fieldsOf(one), { isToBeWhole: true }),
      unknown[index],
    );
    if (why === null) whole.push(one);
    else failures.push({ id: one.entry.id, why });
  }
  const typeHeld = due.filter(({ entry }) => !types.has(entry.type)).map(({ entry }) => entry.id);
  return { whole, failures, typeHeld };
}

function whyNot(
  { entry, revision }: DueEntry,
  faults: readonly FieldFault[],
  unknown: readonly FieldFault[] = [],
): string | null {
  if (revision === null || entry.scheduled_by === null) return "What was scheduled is lost.";
  // What is live already was judged when it went live.
  if (entry.published_revision === revision.revision || faults.length + unknown.length === 0) return null;
  return invalid([...faults, ...unknown]).message;
}

async function goLive(within: TenantStatements<Tables>, whole: readonly DueEntry[]): Promise<void> {
  if (whole.length === 0) return;
  const ids = whole.map(({ entry }) => entry.id);
  const after = new Map((await updateAll(within, ids)).map((row) => [row.id, row]));
  await releaseSlugs(within, ...ids);
  const changed = whole.flatMap((one) => {
    const { entry, revision, liveSlug } = one;
    const row = after.get(entry.id);
    if (row === undefined || revision === null || entry.scheduled_by === null) return [];
    const cause = causeOf(within.tenantId, entry.scheduled_by);
    const isLiveAlready = entry.published_revision === revision.revision;
    return isLiveAlready ? [] : [{ row, revision, liveSlug, cause }];
  });
  const moved = changed.filter(({ revision, liveSlug }) => revision.slug !== liveSlug);
  await moveRedirects(
    within,
    moved.map(({ row, revision, liveSlug, cause }) => ({
      from: liveSlug === null ? null : entryPath({ ...row, slug: liveSlug }),
      to: entryPath({ ...row, slug: revision.slug }),
      cause,
    })),
  );
  if (changed.length === 0) return;
  const events = changed.map(({ row, revision, cause }) =>
    outboxRow("content.entry.published", row.id, { entry: entryOf(row, revision) }, cause),
  );
  await within.db.insertInto("outbox").values(events).execute();
}

/** As `publishRevision` does to one. The right-hand sides see the row as it was. */
async function updateAll({ db, tenantId }: TenantStatements<Tables>, ids: string[]): Promise<EntryRow[]> {
  const { rows } = await sql<EntryRow>`
    update entries
       set published_revision = scheduled_revision,
           published_at = case when published_revision is distinct from scheduled_revision
                               then now() else published_at end,
           publish_at = null, scheduled_revision = null, scheduled_by = null,
           schedule_try_at = null, schedule_error = null, updated_at = now()
     where tenant_id = ${tenantId} and id = any(${ids}::uuid[])
    returning *`.execute(db);
  return rows;
}

/** Not as changes of the entries: nobody changed them. */
export async function noteFailures(
  { db, tenantId }: TenantStatements<Tables>,
  failures: readonly Failure[],
): Promise<void> {
  if (failures.length === 0) return;
  await sql`
    update entries
       set schedule_error = failure.why, schedule_try_at = now() + ${TRY_AGAIN_SECONDS} * interval '1 second'
      from unnest(${failures.map(({ id }) => id)}::uuid[], ${failures.map(({ why }) => why)}::text[]) failure (id, why)
     where tenant_id = ${tenantId} and entries.id = failure.id and schedule_try_at <= now()`.execute(db);
}

async function postpone({ db, tenantId }: TenantStatements<Tables>, ids: string[]): Promise<void> {
  if (ids.length === 0) return;
  await sql`
    update entries set schedule_try_at = now() + ${TYPE_HELD_SECONDS} * interval '1 second'
     where tenant_id = ${tenantId} and id = any(${ids}::uuid[])`.execute(db);
}
