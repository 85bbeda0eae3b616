// Creates an entry, and changes one. Each write adds a revision; none goes live.
import slugify from "@sindresorhus/slugify";
import type { FieldFault } from "@tradepost/http";
import { admit, type Cause } from "@tradepost/messaging";
import { newId } from "@tradepost/runtime";
import { dataFaults } from "../content-type/content-type.ts";
import type { DeferredBody } from "../route-parts.ts";
import type { ContentType, Field, Tenant } from "../tables.ts";
import { changedFields, type EntryData, withChanges } from "./entry-data.ts";
import type { EntryChange, EntryInput } from "./entry-input.ts";
import { type Entry, entryOf, type Revision } from "./entry-resource.ts";
import { ENTRY_COLUMNS, type EntryRow } from "./entry-store.ts";
import { claimSlug, releaseSlugs, slugTaken } from "./slugs.ts";
import { insertEntryEvent, insertRevisionEvent, updateEntry } from "./write-entry.ts";

const SLUG_CHARACTERS_MAX = 190;
// A title may have 2 MiB.
const TITLE_CHARACTERS_READ = 1_000;

/** Validates schema and data together, so that one 422 names every fault. `findType` must lock the type. */
export async function validateNewEntry(
  body: DeferredBody<EntryInput>,
  findType: (slug: string) => Promise<ContentType | null>,
): Promise<{ input: EntryInput; contentType: ContentType }> {
  const { type } = objectIn(body.json);
  const contentType = typeof type === "string" ? await findType(type) : null;
  const isUnknown = typeof type === "string" && contentType === null;
  const input = body.validate([
    ...(isUnknown ? [{ path: "type", message: "no such content type" }] : []),
    ...faultsOfData(body, contentType?.fields ?? null),
  ]);
  if (contentType === null) throw new Error("the schema accepted a body without a type");
  return { input, contentType };
}

export function validateEntryChange(
  body: DeferredBody<EntryChange>,
  fields: readonly Field[] | null,
): EntryChange {
  return body.validate(faultsOfData(body, fields));
}

export async function createDraft(
  tx: Tenant,
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
  admit(cause, "eventBytes");
  const entry = slug === wanted ? row : await setSlug(tx, row, slug);
  const revision = { revision: 1, slug: entry.slug, data };
  await insertRevision(tx, entry, revision, cause);
  const draft = entryOf(entry, revision);
  await insertEntryEvent(tx, "content.entry.created", draft, cause);
  await insertRevisionEvent(tx, draft, cause);
  return draft;
}

/** Adds a revision to a locked entry; if nothing changes, returns the latest one and writes no event. */
export async function changeDraft(
  tx: Tenant,
  entry: EntryRow,
  before: Revision,
  change: { slug?: string | undefined; data: EntryData },
  cause: Cause,
): Promise<Entry> {
  const slug = change.slug ?? before.slug;
  const isMoved = slug !== before.slug;
  const changed = [...changedFields(before.data, change.data), ...(isMoved ? ["slug"] : [])];
  if (changed.length === 0) return entryOf(entry, before);
  if (!(await claimSlug(tx, entry, slug))) throw slugTaken();
  admit(cause, "eventBytes");
  const revision = { revision: entry.revision + 1, slug, data: change.data };
  await insertRevision(tx, entry, revision, cause);
  const after = await updateEntry(tx, entry, { slug, revision: revision.revision });
  await releaseSlugs(tx, entry.id);
  const draft = entryOf(after, revision);
  const differences = { changedFields: changed, ...(isMoved && { previousSlug: before.slug }) };
  await insertEntryEvent(tx, "content.entry.updated", draft, cause, differences);
  await insertRevisionEvent(tx, draft, cause);
  return draft;
}

function faultsOfData({ json }: DeferredBody<unknown>, fields: readonly Field[] | null): FieldFault[] {
  if (fields === null) return [];
  const data = objectIn(objectIn(json).data);
  return dataFaults(withoutRemoved(data, fields), fields, { mustBeComplete: false });
}

/** `null` removes a field, so only an unknown field is a fault. */
function withoutRemoved(data: EntryData, fields: readonly Field[]): EntryData {
  const known = new Set(fields.map(({ key }) => key));
  return Object.fromEntries(Object.entries(data).filter(([key, value]) => value !== null || !known.has(key)));
}

function objectIn(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
}

async function setSlug({ db, tenantId }: Tenant, { id }: EntryRow, slug: string): Promise<EntryRow> {
  return await db
    .updateTable("entries")
    .set({ slug })
    .where("tenant_id", "=", tenantId)
    .where("id", "=", id)
    .returning(ENTRY_COLUMNS)
    .executeTakeFirstOrThrow();
}

/** If the slug is taken, refuses a requested slug, and extends a generated slug by the end of the id. */
async function claimFreeSlug(
  tx: Tenant,
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

function slugFrom(data: EntryData, { fields }: ContentType, id: string): string {
  const texts = fields.flatMap(({ key, type }) => (type === "text" ? [data[key]] : []));
  const title = texts.find((text) => typeof text === "string" && text.trim() !== "");
  const slug = slugify(String(title ?? "").slice(0, TITLE_CHARACTERS_READ))
    .slice(0, SLUG_CHARACTERS_MAX)
    .replace(/-+$/, "");
  return slug === "" ? id : slug;
}

async function insertRevision(
  { db, tenantId }: Tenant,
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
