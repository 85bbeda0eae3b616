// Claims images for processing, and records the results. Workers skip locked rows.
import { type Kysely, sql } from "kysely";
import { causeFrom } from "../../events.ts";
import { TENANTS_FOUND_MAX } from "../../round-robin.ts";
import type { Tables, Tenant, Variant } from "../../tables.ts";
import type { MediaRow } from "../media-resource.ts";
import { insertEvent, scheduleFileRemoval } from "../media-store.ts";

export type ImageResult =
  | { readonly width: number; readonly height: number; readonly variants: readonly Variant[] }
  | { readonly failureReason: string };

export const ATTEMPTS_MAX = 3;

const CLAIM_SECONDS = 300;
const OUTAGE_WAIT_SECONDS = 15;
// After one failed attempt 5 s, after two 20 s, enough for a short lack of memory to pass.
const RETRY_SECONDS = [0, 5, 20];

const IS_WAITING = sql<boolean>`status in ('uploaded', 'processing')`;
const IS_DUE = sql<boolean>`${IS_WAITING} and coalesce(processing_until, created_at) <= now()`;

/** Skips from tenant to tenant in an index, however many images each has. The role of `db` may read only whose images wait. */
export async function findImageTenants(db: Kysely<Tables>): Promise<string[]> {
  const { rows } = await sql<{ tenantId: string }>`
    with recursive waiting (tenant_id) as (
      (select tenant_id from media where ${IS_WAITING} order by tenant_id limit 1)
      union all
      select (select media.tenant_id from media
               where ${IS_WAITING} and media.tenant_id > waiting.tenant_id
               order by media.tenant_id limit 1)
        from waiting where waiting.tenant_id is not null
    )
    select tenant_id as "tenantId" from waiting
     where exists (select from media where media.tenant_id = waiting.tenant_id and ${IS_DUE})
     limit ${TENANTS_FOUND_MAX}`.execute(db);
  return rows.map(({ tenantId }) => tenantId);
}

/**
 * Claims the longest due image for 5 minutes. An expired claim counts as a failed attempt: the decoder, or the whole service, died.
 * `processing_until` tells this claim from later ones, so it has no fraction that a Date would lose.
 */
export async function claimNextImage({ db, tenantId }: Tenant): Promise<MediaRow | undefined> {
  return await db
    .updateTable("media")
    .set({
      status: "processing",
      processing_until: sql<Date>`date_trunc('milliseconds', now() + ${CLAIM_SECONDS} * interval '1 second')`,
      processing_attempts: sql<number>`processing_attempts + (status = 'processing')::int`,
    })
    .where("tenant_id", "=", tenantId)
    .where(
      "id",
      "=",
      sql<string>`(select id from media where tenant_id = ${tenantId} and ${IS_DUE}
                    order by coalesce(processing_until, created_at), id limit 1 for update skip locked)`,
    )
    .returningAll()
    .executeTakeFirst();
}

/** Ends a claim without a result. The reason decides when the image is due again. Ignores another worker's claim. */
export async function releaseImage(
  { db, tenantId }: Tenant,
  claimed: MediaRow,
  reason: "stop" | "outage" | "failed attempt",
): Promise<void> {
  const attempts = claimed.processing_attempts + (reason === "failed attempt" ? 1 : 0);
  const waitSeconds = waitAfter(reason, attempts);
  await db
    .updateTable("media")
    .set({
      status: "uploaded",
      processing_until: sql<Date>`now() + ${waitSeconds} * interval '1 second'`,
      processing_attempts: attempts,
    })
    .where("tenant_id", "=", tenantId)
    .where("id", "=", claimed.id)
    .where("status", "=", "processing")
    .where("processing_until", "=", claimed.processing_until)
    .execute();
}

function waitAfter(reason: Parameters<typeof releaseImage>[2], attempts: number): number {
  if (reason === "failed attempt") return RETRY_SECONDS[attempts] ?? OUTAGE_WAIT_SECONDS;
  return reason === "stop" ? 0 : OUTAGE_WAIT_SECONDS;
}

/**
 * Records the result and ends the claim. A ready image writes `media.processed`, caused by the upload. Returns `deleted` if the
 * asset was deleted meanwhile, so its derivatives are due for deletion, and `claimed since` if the claim had expired and another
 * worker decides.
 */
export async function completeImage(
  tenant: Tenant,
  { id, processing_until: claimedUntil }: MediaRow,
  result: ImageResult,
): Promise<"completed" | "deleted" | "claimed since"> {
  return await tenant.transaction(async (tx) => {
    const { db, tenantId } = tx;
    const row = await db
      .updateTable("media")
      .set({ ...columnsOf(result), processing_until: null })
      .where("tenant_id", "=", tenantId)
      .where("id", "=", id)
      .where("status", "=", "processing")
      .where("processing_until", "=", claimedUntil)
      .returningAll()
      .executeTakeFirst();
    if (row !== undefined) {
      const cause = causeFrom(tenantId, row.uploaded_by);
      if (row.status === "ready") await insertEvent(tx, "media.processed", row, cause);
      return "completed";
    }
    const asset = db.selectFrom("media").select("id").where("tenant_id", "=", tenantId).where("id", "=", id);
    if ((await asset.executeTakeFirst()) !== undefined) return "claimed since";
    await scheduleFileRemoval(tx, id, null);
    return "deleted";
  });
}

function columnsOf(result: ImageResult) {
  if ("failureReason" in result) return { status: "failed" as const, failure_reason: result.failureReason };
  const { width, height, variants } = result;
  return { status: "ready" as const, width, height, variants: JSON.stringify(variants) };
}
