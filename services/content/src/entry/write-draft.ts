// Writes drafts: creates an entry, and changes one. Each write adds a revision; none goes live.
import slugify from "@sindresorhus/slugify";
import type { Cause } from "@tradepost/messaging";
import type { Tenant } from "@tradepost/postgres";
import { newId } from "@tradepost/runtime";
import type { ContentType } from "../content-type/content-type.ts";
import type { Tables } from "../tables.ts";
import { type Entry, entryOf, type Revision } from "./entry.ts";
import { type EntryData, isSameData, withChanges } from "./entry-data.ts";
import { insertEntryEvent, insertRevisionEvent } from "./entry-events.ts";
import type { EntryInput } from "./entry-input.ts";
import { ENTRY_COLUMNS, type EntryRow } from "./entry-store.ts";
import { claimSlug, releaseSlugs, slugTaken } from "./slugs.ts";
import { updateEntry } from "./update-entry.ts";

const SLUG_CHARACTERS_MAX = 190;
// A title may be 2 MiB long; the time to make a slug grows with it.
const TITLE_CHARACTERS_READ = 1_000;

/** Creates an entry from validated input. Throws 409 `conflict` if another entry has the slug. */
export async function createDraft(
  tx: Tenant<Tables>,
  contentType: ContentType,
  input: EntryInput,
  cause: Cause,
): Promise<Entry> {
  const id = newId();
  const data = withChanges({}, input.data);
  const { type, locale } = input;
  const wanted = input.slug ?? slugFrom(data, contentType, id);
  const row = await tx.db
    .insertInto("entries")
    .values({ tenant_id: tx.tenantId, id, type, locale, slug: wanted, revision: 1 })
    .returning(ENTRY_COLUMNS)
    .executeTakeFirstOrThrow();
  const slug = await claimFreeSlug(tx, row, wanted, input.slug !== undefined);
  const entry = slug === wanted ? row : await setSlug(tx, row, slug);
  const revision = { revision: 1, slug: entry.slug, data };
  await insertRevision(tx, entry, revision, cause);
  const draft = entryOf(entry, revision);
  await insertEntryEvent(tx, "content.entry.created", draft, cause);
  await insertRevisionEvent(tx, draft, cause);
  return draft;
}

/** Adds a revision to a locked entry. If slug and data stay the same, returns the latest revision and writes no event. */
export async function changeDraft(
  tx: Tenant<Tables>,
  entry: EntryRow,
  before: Revision,
  change: { slug?: string | undefined; data: EntryData },
  cause: Cause,
): Promise<Entry> {
  const slug = change.slug ?? before.slug;
  if (slug === before.slug && isSameData(before.data, change.data)) return entryOf(entry, before);
  if (!(await claimSlug(tx, entry, slug))) throw slugTaken();
  const revision = { revision: entry.revision + 1, slug, data: change.data };
  await insertRevision(tx, entry, revision, cause);
  const after = await updateEntry(tx, entry, { slug, revision: revision.revision });
  await releaseSlugs(tx, entry.id);
  const draft = entryOf(after, revision);
  await insertEntryEvent(tx, "content.entry.updated", draft, cause);
  await insertRevisionEvent(tx, draft, cause);
  return draft;
}

/** Completes a new entry, which still has its first version afterwards. */
async function setSlug({ db, tenantId }: Tenant<Tables>, { id }: EntryRow, slug: string): Promise<EntryRow> {
  return await db
    .updateTable("entries")
    .set({ slug })
    .where("tenant_id", "=", tenantId)
    .where("id", "=", id)
    .returning(ENTRY_COLUMNS)
    .executeTakeFirstOrThrow();
}

/** Claims the slug. If it is taken, refuses a requested slug, and extends a generated one by the end of the id. */
async function claimFreeSlug(
  tx: Tenant<Tables>,
  entry: EntryRow,
  slug: string,
  isRequested: boolean,
): Promise<string> {
  if (await claimSlug(tx, entry, slug)) return slug;
  if (isRequested) throw slugTaken();
  const extended = `${slug}-${entry.id.slice(-8)}`;
  if (await claimSlug(tx, entry, extended)) return extended;
  throw slugTaken();
}

/** Made from the first text field that is not blank, otherwise from the id. */
function slugFrom(data: EntryData, { fields }: ContentType, id: string): string {
  const texts = fields.flatMap(({ key, type }) => (type === "text" ? [data[key]] : []));
  const title = texts.find((text) => typeof text === "string" && text.trim() !== "");
  const slug = slugify(String(title ?? "").slice(0, TITLE_CHARACTERS_READ))
    .slice(0, SLUG_CHARACTERS_MAX)
    .replace(/-+$/, "");
  return slug === "" ? id : slug;
}

async function insertRevision(
  { db, tenantId }: Tenant<Tables>,
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
