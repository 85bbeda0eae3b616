// Adds, reads and deletes media assets; each change writes its event in the same transaction, and what it leaves in the
// storage stands in `storage_leftovers` from before the first byte until after the last.
import type { PageQuery } from "@tradepost/http";
import { type Cause, outboxRow } from "@tradepost/messaging";
import { newestFirst, type TenantDatabase, type TenantStatements } from "@tradepost/postgres";
import { type Selectable, sql } from "kysely";
import { onBehalfOf } from "../cause.ts";
import type { Tables } from "../tables.ts";
import { isPicture, type Media, mediaResource } from "./media.ts";
import type { Received } from "./receive-upload.ts";

/** Says, before the first byte, that what will lie under this id belongs to no asset unless `addMedia` commits. */
export async function announceUpload(
  { db, tenantId }: TenantDatabase<Tables>,
  mediaId: string,
): Promise<void> {
  // Longer than any upload may take.
  const removeAt = sql<Date>`now() + interval '1 hour'`;
  await db
    .insertInto("storage_leftovers")
    .values({ tenant_id: tenantId, media_id: mediaId, remove_at: removeAt })
    .execute();
}

/** Has an upload that failed removed now. Where it did commit after all, there is nothing to hasten. */
export async function giveUpUpload({ db, tenantId }: TenantDatabase<Tables>, mediaId: string): Promise<void> {
  await db
    .updateTable("storage_leftovers")
    .set({ remove_at: sql<Date>`now()` })
    .where("tenant_id", "=", tenantId)
    .where("media_id", "=", mediaId)
    .execute();
}

/** In: an announced id whose bytes are stored. Out: the asset; `media.uploaded` is written with it. */
export async function addMedia(
  tenant: TenantDatabase<Tables>,
  mediaId: string,
  received: Received,
  cause: Cause,
): Promise<Media> {
  return await tenant.transaction(async ({ db, tenantId }) => {
    const { numDeletedRows } = await db
      .deleteFrom("storage_leftovers")
      .where("tenant_id", "=", tenantId)
      .where("media_id", "=", mediaId)
      .executeTakeFirst();
    if (numDeletedRows === 0n) throw new Error("the upload took so long that its file is removed");
    const row = await db
      .insertInto("media")
      .values({
        tenant_id: tenantId,
        id: mediaId,
        filename: received.filename,
        content_type: received.contentType,
        size_bytes: received.sizeBytes,
        sha256: received.sha256,
        status: isPicture(received.contentType) ? "uploaded" : "ready",
        variants: "[]",
        uploaded_by: JSON.stringify(onBehalfOf(cause)),
      })
      .returningAll()
      .executeTakeFirstOrThrow();
    await writeEvent(db, "media.uploaded", mediaOf(row), cause);
    return mediaOf(row);
  });
}

/** Out: whether the tenant had it. Its files are due at once, or when the worker that has it in hand is surely done. */
export async function removeMedia(
  tenant: TenantDatabase<Tables>,
  id: string,
  cause: Cause,
): Promise<boolean> {
  return await tenant.transaction(async (within) => {
    const { db, tenantId } = within;
    const row = await db
      .deleteFrom("media")
      .where("tenant_id", "=", tenantId)
      .where("id", "=", id)
      .returningAll()
      .executeTakeFirst();
    if (row === undefined) return false;
    await leaveFiles(within, id, row.processing_until);
    await writeEvent(db, "media.deleted", mediaOf(row), cause);
    return true;
  });
}

/** Its files belong to no asset any more, and are due at the given time or, where that is past or none, at once. */
export async function leaveFiles(
  { db, tenantId }: TenantStatements<Tables>,
  mediaId: string,
  until: Date | null,
): Promise<void> {
  const removeAt = sql<Date>`greatest(now(), ${until}::timestamptz)`;
  await db
    .insertInto("storage_leftovers")
    .values({ tenant_id: tenantId, media_id: mediaId, remove_at: removeAt })
    .onConflict((taken) => taken.columns(["tenant_id", "media_id"]).doUpdateSet({ remove_at: removeAt }))
    .execute();
}

export async function findMedia(
  { db, tenantId }: TenantStatements<Tables>,
  id: string,
): Promise<Media | null> {
  const row = await db
    .selectFrom("media")
    .selectAll()
    .where("tenant_id", "=", tenantId)
    .where("id", "=", id)
    .executeTakeFirst();
  return row === undefined ? null : mediaOf(row);
}

/** Newest first; one row more than the limit where there is a next page. */
export async function listMedia(
  { db, tenantId }: TenantStatements<Tables>,
  page: PageQuery,
): Promise<Media[]> {
  const all = db.selectFrom("media").selectAll().where("tenant_id", "=", tenantId);
  const rows = await newestFirst(all, page).execute();
  return rows.map(mediaOf);
}

/** In: statements of the transaction that changed the asset. */
export async function writeEvent(
  db: TenantStatements<Tables>["db"],
  type: "media.uploaded" | "media.processed" | "media.deleted",
  media: Media,
  cause: Cause,
): Promise<void> {
  const row = outboxRow(type, media.id, { media: mediaResource(media) }, cause);
  await db.insertInto("outbox").values(row).execute();
}

export function mediaOf(row: Selectable<Tables["media"]>): Media {
  return {
    id: row.id,
    filename: row.filename,
    contentType: row.content_type,
    sizeBytes: Number(row.size_bytes),
    sha256: row.sha256,
    status: row.status,
    failureReason: row.failure_reason,
    width: row.width,
    height: row.height,
    variants: row.variants,
    createdAt: row.created_at,
  };
}
