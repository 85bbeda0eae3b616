// Publishes a batch of a tenant's due entries in one transaction of about a dozen statements. Each entry is validated by itself
// first, so an invalid one does not hold up the others.
import { type FieldFault, invalid } from "@tradepost/http";
import { outboxRow } from "@tradepost/messaging";
import { sql } from "kysely";
import { dataFaults, lockContentTypes } from "../content-type/content-type.ts";
import { causeFrom, insertEvents } from "../events.ts";
import { retargetRedirects } from "../redirect/redirect.ts";
import type { Tenant } from "../tables.ts";
import type { DueEntry } from "./claim-due.ts";
import { entryOf, entryPath } from "./entry-resource.ts";
import { ENTRY_COLUMNS, type EntryRow } from "./entry-store.ts";
import { releaseSlugs } from "./slugs.ts";
import { findUnknownIds } from "./validate-for-publication.ts";

const RETRY_SECONDS = 60;
// A content type that is being changed is soon free again.
const TYPE_LOCKED_SECONDS = 1;

export interface Failure {
  readonly id: string;
  readonly reason: string;
}

export async function publishBatch(tx: Tenant, due: readonly DueEntry[]) {
  if (due.length === 0) return { publishedCount: 0, failedCount: 0 };
  const { valid, failures, typeLockedIds } = await validateAll(tx, due);
  await publishAll(tx, valid);
  await recordFailures(tx, failures);
  await postpone(tx, typeLockedIds);
  return { publishedCount: valid.length, failedCount: failures.length };
}

async function validateAll(tx: Tenant, due: readonly DueEntry[]) {
  const types = await lockContentTypes(tx, [...new Set(due.map(({ entry }) => entry.type))]);
  const checkable = due.filter(({ entry }) => types.has(entry.type));
  const fieldsOf = ({ entry }: DueEntry) => types.get(entry.type)?.fields ?? [];
  const unknownIds = await findUnknownIds(
    tx,
    checkable.map((one) => ({ data: one.revision?.data ?? {}, fields: fieldsOf(one) })),
  );
  const valid: DueEntry[] = [];
  const failures: Failure[] = [];
  for (const [index, one] of checkable.entries()) {
    const faults = dataFaults(one.revision?.data ?? {}, fieldsOf(one), { mustBeComplete: true });
    const reason = failureReason(one, [...faults, ...(unknownIds[index] ?? [])]);
    if (reason === null) valid.push(one);
    else failures.push({ id: one.entry.id, reason });
  }
  const typeLockedIds = due.filter(({ entry }) => !types.has(entry.type)).map(({ entry }) => entry.id);
  return { valid, failures, typeLockedIds };
}

function failureReason({ entry, revision }: DueEntry, faults: readonly FieldFault[]): string | null {
  if (revision === null || entry.scheduled_by === null) return "The scheduled revision does not exist.";
  // A live revision was validated when it went live.
  const isLiveAlready = entry.published_revision === revision.revision;
  return isLiveAlready || faults.length === 0 ? null : invalid(faults).message;
}

async function publishAll(tx: Tenant, valid: readonly DueEntry[]): Promise<void> {
  if (valid.length === 0) return;
  const ids = valid.map(({ entry }) => entry.id);
  const after = new Map((await updateAll(tx, ids)).map((row) => [row.id, row]));
  await releaseSlugs(tx, ...ids);
  const changed = valid.flatMap((one) => {
    const { entry, revision, liveSlug } = one;
    const row = after.get(entry.id);
    if (row === undefined || revision === null || entry.scheduled_by === null) return [];
    const cause = causeFrom(tx.tenantId, entry.scheduled_by);
    const isLiveAlready = entry.published_revision === revision.revision;
    return isLiveAlready ? [] : [{ row, revision, liveSlug, cause }];
  });
  const moved = changed.filter(({ revision, liveSlug }) => revision.slug !== liveSlug);
  await retargetRedirects(
    tx,
    moved.map(({ row, revision, liveSlug, cause }) => ({
      from: liveSlug === null ? null : entryPath({ ...row, slug: liveSlug }),
      to: entryPath({ ...row, slug: revision.slug }),
      cause,
    })),
  );
  const events = changed.map(({ row, revision, cause }) =>
    outboxRow("content.entry.published", row.id, { entry: entryOf(row, revision) }, cause),
  );
  await insertEvents(tx, events);
}

async function updateAll({ db, tenantId }: Tenant, ids: string[]): Promise<EntryRow[]> {
  const { rows } = await sql<EntryRow>`
    update entries
       set published_revision = scheduled_revision,
           published_at = case when published_revision is distinct from scheduled_revision
                               then now() else published_at end,
           publish_at = null, scheduled_revision = null, scheduled_by = null,
           schedule_try_at = null, schedule_error = null, updated_at = greatest(now(), updated_at + interval '1 ms')
     where tenant_id = ${tenantId} and id = any(${ids}::uuid[])
    returning ${sql.join(ENTRY_COLUMNS.map((column) => sql.ref(column)))}`.execute(db);
  return rows;
}

/** Nobody has changed the entry, so `updated_at` stays. */
export async function recordFailures({ db, tenantId }: Tenant, failures: readonly Failure[]) {
  if (failures.length === 0) return;
  const ids = failures.map(({ id }) => id);
  const reasons = failures.map(({ reason }) => reason);
  await sql`
    update entries
       set schedule_error = failure.reason, schedule_try_at = now() + ${RETRY_SECONDS} * interval '1 second'
      from unnest(${ids}::uuid[], ${reasons}::text[]) failure (id, reason)
     where tenant_id = ${tenantId} and entries.id = failure.id and schedule_try_at <= now()`.execute(db);
}

async function postpone({ db, tenantId }: Tenant, ids: string[]): Promise<void> {
  if (ids.length === 0) return;
  await sql`
    update entries set schedule_try_at = now() + ${TYPE_LOCKED_SECONDS} * interval '1 second'
     where tenant_id = ${tenantId} and id = any(${ids}::uuid[])`.execute(db);
}
