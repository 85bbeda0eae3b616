// Writes drafts: a new entry, and what changes one. Each makes a revision; none goes live.

import slugify from "@sindresorhus/slugify";
import { type Cause, outboxRow } from "@tradepost/messaging";
import type { TenantStatements } from "@tradepost/postgres";
import { newId } from "@tradepost/runtime";
import type { ContentType } from "../content-type/content-type.ts";
import type { Tables } from "../tables.ts";
import { type Entry, entryOf, type Revision } from "./entry.ts";
import { type EntryData, isSameData, withChanges } from "./entry-data.ts";
import type { EntryInput } from "./entry-input.ts";
import { type EntryRow, findRevision } from "./entry-store.ts";
import { holdSlug, releaseSlugs, slugTaken } from "./slugs.ts";
import { updateEntry } from "./update-entry.ts";

const SLUG_CHARACTERS_MAX = 190;
// A title may be as long as a body, and making a slug of all of it takes as long.
const TITLE_CHARACTERS_READ = 1_000;

/** In: an input that the type's fields allow. Throws 409 `conflict` where the slug is another entry's. */
export async function createEntry(
  within: TenantStatements<Tables>,
  contentType: ContentType,
  input: EntryInput,
  cause: Cause,
): Promise<Entry> {
  const id = newId();
  const data = withChanges({}, input.data);
  const { type, locale } = input;
  const wanted = input.slug ?? slugFrom(data, contentType, id);
  const row = await within.db
    .insertInto("entries")
    .values({ tenant_id: within.tenantId, id, type, locale, slug: wanted, revision: 1 })
    .returningAll()
    .executeTakeFirstOrThrow();
  const slug = await holdOne(within, row, wanted, input.slug !== undefined);
  const entry = slug === wanted ? row : await updateEntry(within, row, { slug });
  const revision = { revision: 1, slug: entry.slug, data };
  await insertRevision(within, entry, revision, cause);
  const shown = entryOf(entry, revision);
  await tell(within, "content.entry.created", shown, cause);
  await tellOfRevision(within, shown, cause);
  return shown;
}

/** Out: what a change makes of an entry; its latest revision again where nothing really changes, and no event. */
export async function changeEntry(
  within: TenantStatements<Tables>,
  entry: EntryRow,
  before: Revision,
  change: { slug?: string | undefined; data: EntryData },
  cause: Cause,
): Promise<Entry> {
  const slug = change.slug ?? before.slug;
  if (slug === before.slug && isSameData(before.data, change.data)) return entryOf(entry, before);
  if (!(await holdSlug(within, entry, slug))) throw slugTaken();
  const revision = { revision: entry.revision + 1, slug, data: change.data };
  await insertRevision(within, entry, revision, cause);
  const after = await updateEntry(within, entry, { slug, revision: revision.revision });
  await releaseSlugs(within, entry.id);
  const shown = entryOf(after, revision);
  await tell(within, "content.entry.updated", shown, cause);
  await tellOfRevision(within, shown, cause);
  return shown;
}

export async function latestOf(within: TenantStatements<Tables>, entry: EntryRow): Promise<Revision> {
  const latest = await findRevision(within, entry.id, entry.revision);
  if (latest === null) throw new Error(`entry ${entry.id} has lost its latest revision`);
  return latest;
}

/** A slug that was asked for is had or refused; one of our own making makes way. */
async function holdOne(
  within: TenantStatements<Tables>,
  entry: EntryRow,
  slug: string,
  isAskedFor: boolean,
): Promise<string> {
  if (await holdSlug(within, entry, slug)) return slug;
  if (isAskedFor) throw slugTaken();
  const own = `${slug}-${entry.id.slice(-8)}`;
  if (await holdSlug(within, entry, own)) return own;
  throw slugTaken();
}

/** Of the first text that there is, or of the id. */
function slugFrom(data: EntryData, { fields }: ContentType, id: string): string {
  const texts = fields.flatMap(({ key, type }) => (type === "text" ? [data[key]] : []));
  const title = texts.find((text) => typeof text === "string" && text.trim() !== "");
  const slug = slugify(String(title ?? "").slice(0, TITLE_CHARACTERS_READ))
    .slice(0, SLUG_CHARACTERS_MAX)
    .replace(/-+$/, "");
  return slug === "" ? id : slug;
}

async function insertRevision(
  { db, tenantId }: TenantStatements<Tables>,
  { id }: EntryRow,
  { revision, slug, data }: Revision,
  { principal }: Cause,
): Promise<void> {
  await db
    .insertInto("entry_revisions")
    .values({
      tenant_id: tenantId,
      entry_id: id,
      id: newId(),
      revision,
      slug,
      data: JSON.stringify(data),
      actor: JSON.stringify(principal.actor),
    })
    .execute();
}

/** In: the entry as the event is to show it. Its payload is taken here, inside the transaction. */
export async function tell(
  { db }: TenantStatements<Tables>,
  type: `content.entry.${string}`,
  entry: Entry,
  cause: Cause,
): Promise<void> {
  await db
    .insertInto("outbox")
    .values(outboxRow(type, entry.id, { entry }, cause))
    .execute();
}

async function tellOfRevision(
  { db }: TenantStatements<Tables>,
  { id, revision, slug, data }: Entry,
  cause: Cause,
): Promise<void> {
  const told = { revision: { entryId: id, revision, slug, data } };
  await db
    .insertInto("outbox")
    .values(outboxRow("content.revision.created", id, told, cause))
    .execute();
}
