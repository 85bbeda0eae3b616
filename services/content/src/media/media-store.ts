// Creates, reads and deletes media assets, each change with its event. While files belong to no asset, `storage_leftovers` has
// a row for them, from before the first byte until all are deleted.
import { notFound, required } from "@tradepost/http";
import { type AdmittedCause, auditRow, type Cause, outboxRow } from "@tradepost/messaging";
import { sql } from "kysely";
import { storedCauseOf } from "../events.ts";
import { countNewest, searchNewest } from "../search.ts";
import type { Tenant } from "../tables.ts";
import type { MediaQuery } from "./media-input.ts";
import { isImage, type MediaRow, mediaResource } from "./media-resource.ts";
import type { ReceivedFile } from "./receive-upload.ts";

/**
 * Call it before the first byte is stored; `createMedia` cancels the deletion. Throws if the operator has deleted the tenant.
 */
export async function registerUpload({ db, tenantId }: Tenant, mediaId: string): Promise<void> {
  const removeAt = sql<Date>`now() + interval '1 hour'`;
  const { numInsertedOrUpdatedRows } = await db
    .insertInto("storage_leftovers")
    .columns(["tenant_id", "media_id", "remove_at"])
    .expression(
      db
        .selectNoFrom([
          sql<string>`${tenantId}::uuid`.as("tenant_id"),
          sql<string>`${mediaId}::uuid`.as("media_id"),
          removeAt.as("remove_at"),
        ])
        .where(
          sql<boolean>`not exists (select from deleted_tenants where tenant_digest = sha256(uuid_send(${tenantId}::uuid)))`,
        ),
    )
    .executeTakeFirstOrThrow();
  if (numInsertedOrUpdatedRows === 0n) throw new Error("the tenant has been deleted");
}

/** Does nothing if the asset was created after all. */
export async function abandonUpload({ db, tenantId }: Tenant, mediaId: string): Promise<void> {
  await db
    .updateTable("storage_leftovers")
    .set({ remove_at: sql<Date>`now()` })
    .where("tenant_id", "=", tenantId)
    .where("media_id", "=", mediaId)
    .execute();
}

export async function createMedia(
  tenant: Tenant,
  mediaId: string,
  received: ReceivedFile,
  cause: AdmittedCause,
): Promise<MediaRow> {
  return await tenant.transaction(async (tx) => {
    const { db, tenantId } = tx;
    const { numDeletedRows } = await db
      .deleteFrom("storage_leftovers")
      .where("tenant_id", "=", tenantId)
      .where("media_id", "=", mediaId)
      .executeTakeFirst();
    if (numDeletedRows === 0n) throw new Error("the upload took so long that its file has been deleted");
    const row = await db
      .insertInto("media")
      .values({
        tenant_id: tenantId,
        id: mediaId,
        filename: received.filename,
        content_type: received.contentType,
        size_bytes: received.sizeBytes,
        sha256: received.sha256,
        status: isImage(received.contentType) ? "uploaded" : "ready",
        variants: "[]",
        uploaded_by: JSON.stringify(storedCauseOf(cause)),
      })
      .returningAll()
      .executeTakeFirstOrThrow();
    await insertEvent(tx, "media.uploaded", row, cause);
    return row;
  });
}

/** Its files are due for deletion now or, during processing, when the claim ends. Throws 404 without the asset. */
export async function deleteMedia(tx: Tenant, id: string, cause: AdmittedCause): Promise<void> {
  // A lock waits before it gives the transaction its id, but a deletion waits after that. The change feed is in the order of
  // these ids, so the deletion must not have one while a worker writes `media.processed`.
  const row = await lockForChange(tx, id);
  await tx.db.deleteFrom("media").where("tenant_id", "=", tx.tenantId).where("id", "=", id).execute();
  await scheduleFileRemoval(tx, id, row.processing_until);
  await insertEvent(tx, "media.deleted", row, cause);
}

/** The files are due at `dueAt`, or now if that is past or null. */
export async function scheduleFileRemoval(
  { db, tenantId }: Tenant,
  mediaId: string,
  dueAt: Date | null,
): Promise<void> {
  const removeAt = sql<Date>`greatest(now(), ${dueAt}::timestamptz)`;
  await db
    .insertInto("storage_leftovers")
    .values({ tenant_id: tenantId, media_id: mediaId, remove_at: removeAt })
    .onConflict((conflict) =>
      conflict.columns(["tenant_id", "media_id"]).doUpdateSet({ remove_at: removeAt }),
    )
    .execute();
}

function withId(tenant: Tenant, id: string) {
  return selectMedia(tenant).where("id", "=", id);
}

export async function findMedia(tenant: Tenant, id: string): Promise<MediaRow | undefined> {
  return await withId(tenant, id).executeTakeFirst();
}

export async function lockMedia(tx: Tenant, id: string): Promise<MediaRow> {
  return required(await withId(tx, id).forShare().executeTakeFirst(), "media");
}

async function lockForChange(tx: Tenant, id: string): Promise<MediaRow> {
  return required(await withId(tx, id).forUpdate().executeTakeFirst(), "media");
}

/** The same text changes nothing. Throws 404 without the asset. */
export async function changeAltText(
  tx: Tenant,
  id: string,
  altText: string | null,
  cause: AdmittedCause,
): Promise<MediaRow> {
  const before = await lockForChange(tx, id);
  if (before.alt_text === altText) return before;
  const changed = { ...before, alt_text: altText };
  await tx.db
    .updateTable("media")
    .set({ alt_text: altText })
    .where("tenant_id", "=", tx.tenantId)
    .where("id", "=", id)
    .execute();
  await insertEvent(tx, "media.updated", changed, cause);
  return changed;
}

/** Throws 404 without the asset. */
export async function endMediaLinks({ db, tenantId }: Tenant, id: string, cause: Cause) {
  const { numUpdatedRows } = await db
    .updateTable("media")
    .set((is) => ({ links_ended_count: is("links_ended_count", "+", 1) }))
    .where("tenant_id", "=", tenantId)
    .where("id", "=", id)
    .executeTakeFirstOrThrow();
  if (numUpdatedRows === 0n) throw notFound("media");
  const entry = { action: "media_links.ended", target: { type: "media", id }, changes: {} };
  await db
    .insertInto("outbox")
    .values(auditRow(entry, id, cause))
    .execute();
}

const WORDS = { words: sql`search_words(tenant_id, filename)`, find: "find_media" } as const;

export async function listMedia(tenant: Tenant, query: MediaQuery) {
  const found = await searchNewest(tenant, selectMedia(tenant), query, WORDS);
  const { rows } = await sql<MediaRow>`${found.rows}`.execute(tenant.db);
  return { media: rows.map(mediaResource), end: rows.length > query.limit ? null : await found.end() };
}

export async function countMedia(tenant: Tenant, query: MediaQuery) {
  return await countNewest(tenant, selectMedia(tenant), query, WORDS);
}

function selectMedia({ db, tenantId }: Tenant) {
  return db.selectFrom("media").selectAll().where("tenant_id", "=", tenantId);
}

export async function insertEvent(
  { db }: Tenant,
  type: "media.uploaded" | "media.processed" | "media.updated" | "media.deleted",
  row: MediaRow,
  cause: AdmittedCause,
): Promise<void> {
  const event = outboxRow(type, row.id, { media: mediaResource(row) }, cause);
  await db.insertInto("outbox").values(event).execute();
}
