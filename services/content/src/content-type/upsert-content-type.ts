import { ApiError, requireMatch } from "@tradepost/http";
import { type AdmittedCause, admit, auditRow, type Cause, outboxRow } from "@tradepost/messaging";
import { newId } from "@tradepost/runtime";
import { sql } from "kysely";
import type { ContentType, Field, Tenant } from "../tables.ts";
import type { ContentTypeInput } from "./content-type-input.ts";
import { type ContentTypeRow, typeOf, withSlug } from "./content-type-store.ts";
import { dataFaults, isSameFields, isSameType, mayInvalidateEntries } from "./fields.ts";

// Up to three revisions of each entry, of up to 2 MiB each, are in memory at once.
const BATCH_ENTRIES = 25;

/**
 * An identical type writes no event. Throws 412 `version_mismatch` if `ifMatch`, the header, names another version or the type
 * does not exist, and 409 `content_type_in_use` if the change would make an entry invalid, or `quota_exceeded`.
 */
export async function upsertContentType(
  tenant: Tenant,
  slug: string,
  input: ContentTypeInput,
  { cause, ifMatch }: { cause: Cause; ifMatch: string | undefined },
): Promise<{ contentType: ContentType; isNew: boolean }> {
  return await tenant.transaction(async (tx) => {
    await lockSlug(tx, slug);
    const created = ifMatch === undefined ? await insertIfNew(tx, slug, input) : undefined;
    if (created !== undefined) {
      admit(cause, "eventBytes");
      await insertEvent(tx, created, null, cause);
      return { contentType: typeOf(created), isNew: true };
    }
    const before = await withSlug(tx, slug).forUpdate().executeTakeFirst();
    if (before === undefined) throw new ApiError("version_mismatch", "The content type does not exist.");
    requireMatch(ifMatch, before.version);
    if (isSameType(before, input)) return { contentType: typeOf(before), isNew: false };
    const entryId = mayInvalidateEntries(before.fields, input.fields)
      ? await findIncompatibleEntry(tx, slug, input.fields)
      : null;
    if (entryId !== null) {
      throw new ApiError("content_type_in_use", `The change would make entry ${entryId} invalid.`);
    }
    admit(cause, "eventBytes");
    const after = await tx.db
      .updateTable("content_types")
      .set({ name: input.name, fields: JSON.stringify(input.fields), version: before.version + 1 })
      .where("tenant_id", "=", tx.tenantId)
      .where("slug", "=", slug)
      .returningAll()
      .executeTakeFirstOrThrow();
    await insertEvent(tx, after, before, cause);
    return { contentType: typeOf(after), isNew: false };
  });
}

/**
 * Without this lock, two requests that create a type at the same moment would both have a transaction id before one of them
 * finds the other's type and changes it. The change feed is in the order of these ids, so the change could precede the creation
 * (docs/decisions/0014).
 */
async function lockSlug({ db, tenantId }: Tenant, slug: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`${tenantId} ${slug}`}, 0))`.execute(db);
}

async function insertIfNew({ db, tenantId }: Tenant, slug: string, { name, fields }: ContentTypeInput) {
  return await db
    .insertInto("content_types")
    .values({ tenant_id: tenantId, id: newId(), slug, name, fields: JSON.stringify(fields) })
    .onConflict((conflict) => conflict.columns(["tenant_id", "slug"]).doNothing())
    .returningAll()
    .executeTakeFirst();
}

interface Candidate {
  readonly entryId: string;
  readonly data: Record<string, unknown>;
  readonly mustBeComplete: boolean;
}

/**
 * Returns the id of an entry whose draft could no longer be saved, or whose live or scheduled revision could no longer be
 * published, or null. The type must be locked.
 */
async function findIncompatibleEntry(tx: Tenant, type: string, fields: readonly Field[]) {
  let after: string | null = null;
  for (;;) {
    const candidates: Candidate[] = await nextCandidates(tx, type, after);
    const incompatible = candidates.find(
      ({ data, mustBeComplete }) => dataFaults(data, fields, { mustBeComplete }).length > 0,
    );
    const last = candidates.at(-1);
    if (incompatible !== undefined) return incompatible.entryId;
    if (last === undefined) return null;
    after = last.entryId;
  }
}

async function nextCandidates(
  { db, tenantId }: Tenant,
  type: string,
  after: string | null,
): Promise<Candidate[]> {
  const { rows } = await sql<Candidate>`
    select entries.id as "entryId", checked.data,
           checked.revision in (coalesce(published_revision, 0), coalesce(scheduled_revision, 0)) as "mustBeComplete"
      from (select * from entries
             where tenant_id = ${tenantId} and type = ${type} and (${after}::uuid is null or id > ${after}::uuid)
             order by id
             limit ${BATCH_ENTRIES}) entries
      join entry_revisions checked on checked.tenant_id = ${tenantId} and checked.entry_id = entries.id
                               and checked.revision in (entries.revision, published_revision, scheduled_revision)
     order by entries.id`.execute(db);
  return rows;
}

async function insertEvent(
  { db }: Tenant,
  row: ContentTypeRow,
  before: ContentTypeRow | null,
  cause: AdmittedCause,
): Promise<void> {
  const { slug, name, fields } = row;
  const changes =
    before === null
      ? { name, fields }
      : {
          ...(name !== before.name && { name: { from: before.name, to: name } }),
          ...(!isSameFields(before.fields, fields) && { fields: { from: before.fields, to: fields } }),
        };
  const entry = { action: "content_type.updated", target: { type: "content_type", id: slug }, changes };
  await db
    .insertInto("outbox")
    .values([
      outboxRow("content_type.upserted", row.id, { contentType: typeOf(row) }, cause),
      auditRow(entry, row.id, cause),
    ])
    .execute();
}
