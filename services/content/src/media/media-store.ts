// Creates, reads and deletes media assets, each change with its event. While files belong to no asset, `storage_leftovers` has
// a row for them, from before the first byte until all are deleted.
import type { Position } from "@tradepost/http";
import { type AdmittedCause, auditRow, type Cause, outboxRow } from "@tradepost/messaging";
import type { Tenant } from "@tradepost/postgres";
import { type Selectable, sql } from "kysely";
import { storedCauseOf } from "../events.ts";
import { countNewest, searchNewest } from "../search.ts";
import type { Tables } from "../tables.ts";
import type { MediaQuery } from "./media-input.ts";
import { isImage, type Media, mediaResource } from "./media-resource.ts";
import type { ReceivedFile } from "./receive-upload.ts";

/**
 * Call it before the first byte is stored; `createMedia` cancels the deletion. Throws if the operator has deleted the tenant.
 */
export async function registerUpload({ db, tenantId }: Tenant<Tables>, mediaId: string): Promise<void> {
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
export async function abandonUpload({ db, tenantId }: Tenant<Tables>, mediaId: string): Promise<void> {
  await db
    .updateTable("storage_leftovers")
    .set({ remove_at: sql<Date>`now()` })
    .where("tenant_id", "=", tenantId)
    .where("media_id", "=", mediaId)
    .execute();
}

export async function createMedia(
  tenant: Tenant<Tables>,
  mediaId: string,
  received: ReceivedFile,
  cause: AdmittedCause,
): Promise<Media> {
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
    await insertEvent(tx, "media.uploaded", mediaOf(row), cause);
    return mediaOf(row);
  });
}

/** Returns false without the asset. Its files are due for deletion now or, during processing, when the claim ends. */
export async function deleteMedia(
  tenant: Tenant<Tables>,
  id: string,
  cause: AdmittedCause,
): Promise<boolean> {
  return await tenant.transaction(async (tx) => {
    const { db, tenantId } = tx;
    // A lock waits before it gives the transaction its id, but a deletion waits after that. The change feed is in the order of
    // these ids, so the deletion must not have one while a worker writes `media.processed`.
    const row = await withId(tx, id).forUpdate().executeTakeFirst();
    if (row === undefined) return false;
    await db.deleteFrom("media").where("tenant_id", "=", tenantId).where("id", "=", id).execute();
    await scheduleFileRemoval(tx, id, row.processing_until);
    await insertEvent(tx, "media.deleted", mediaOf(row), cause);
    return true;
  });
}

/** Due at the time, or now if it is past or null. */
export async function scheduleFileRemoval(
  { db, tenantId }: Tenant<Tables>,
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

function withId(tenant: Tenant<Tables>, id: string) {
  return selectMedia(tenant).where("id", "=", id);
}

export async function findMedia(tenant: Tenant<Tables>, id: string): Promise<Media | null> {
  const row = await withId(tenant, id).executeTakeFirst();
  return row === undefined ? null : mediaOf(row);
}

export async function lockMedia(tx: Tenant<Tables>, id: string): Promise<Media | null> {
  const row = await withId(tx, id).forShare().executeTakeFirst();
  return row === undefined ? null : mediaOf(row);
}

/** Returns null without the asset. The same text changes nothing. */
export async function changeAltText(
  tenant: Tenant<Tables>,
  id: string,
  altText: string | null,
  cause: AdmittedCause,
): Promise<Media | null> {
  return await tenant.transaction(async (tx) => {
    const before = await withId(tx, id).forUpdate().executeTakeFirst();
    if (before === undefined) return null;
    const changed = mediaOf({ ...before, alt_text: altText });
    if (before.alt_text === altText) return changed;
    await tx.db
      .updateTable("media")
      .set({ alt_text: altText })
      .where("tenant_id", "=", tx.tenantId)
      .where("id", "=", id)
      .execute();
    await insertEvent(tx, "media.updated", changed, cause);
    return changed;
  });
}

export async function endMediaLinks(tenant: Tenant<Tables>, id: string, cause: Cause): Promise<boolean> {
  return await tenant.transaction(async ({ db, tenantId }) => {
    const { numUpdatedRows } = await db
      .updateTable("media")
      .set((is) => ({ links_ended_count: is("links_ended_count", "+", 1) }))
      .where("tenant_id", "=", tenantId)
      .where("id", "=", id)
      .executeTakeFirstOrThrow();
    if (numUpdatedRows === 0n) return false;
    const entry = { action: "media_links.ended", target: { type: "media", id }, changes: {} };
    await db
      .insertInto("outbox")
      .values(auditRow(entry, id, cause))
      .execute();
    return true;
  });
}

const WORDS = { words: sql`search_words(tenant_id, filename)`, find: "find_media" } as const;

export async function listMedia(
  tenant: Tenant<Tables>,
  query: MediaQuery,
): Promise<{ media: Media[]; end: Position | null }> {
  const found = await searchNewest(tenant, selectMedia(tenant), query, WORDS);
  const { rows } = await sql<Selectable<Tables["media"]>>`${found.rows}`.execute(tenant.db);
  return { media: rows.map(mediaOf), end: rows.length > query.limit ? null : await found.end() };
}

export async function countMedia(tenant: Tenant<Tables>, query: MediaQuery) {
  return await countNewest(tenant, selectMedia(tenant), query, WORDS);
}

function selectMedia({ db, tenantId }: Tenant<Tables>) {
  return db.selectFrom("media").selectAll().where("tenant_id", "=", tenantId);
}

export async function insertEvent(
  { db }: Tenant<Tables>,
  type: "media.uploaded" | "media.processed" | "media.updated" | "media.deleted",
  media: Media,
  cause: AdmittedCause,
): Promise<void> {
  const row = outboxRow(type, media.id, { media: mediaResource(media) }, cause);
  await db.insertInto("outbox").values(row).execute();
}

export function mediaOf(row: Selectable<Tables["media"]>): Media {
  return {
    id: row.id,
    filename: row.filename,
    altText: row.alt_text,
    contentType: row.content_type,
    sizeBytes: Number(row.size_bytes),
    sha256: row.sha256,
    status: row.status,
    failureReason: row.failure_reason,
    width: row.width,
    height: row.height,
    variants: row.variants,
    createdAt: row.created_at,
    linksEndedCount: row.links_ended_count,
  };
}
