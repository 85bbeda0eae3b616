// Who works on an image, and what came of it. Any number may try to take one: a guarded update lets one through.
import type { TenantDatabase } from "@tradepost/postgres";
import { sql } from "kysely";
import { causeOf } from "../cause.ts";
import type { Tables } from "../tables.ts";
import type { Media, Variant } from "./media.ts";
import { leaveFiles, mediaOf, writeEvent } from "./media-store.ts";

export type Outcome =
  | { readonly width: number; readonly height: number; readonly variants: readonly Variant[] }
  | { readonly failureReason: string };

/** Out: the image, now in the caller's hands for 5 minutes, or null where it is done, gone or in other hands. */
export async function takeImage({ db, tenantId }: TenantDatabase<Tables>, id: string): Promise<Media | null> {
  const row = await db
    .updateTable("media")
    .set({ status: "processing", processing_until: sql<Date>`now() + interval '5 minutes'` })
    .where("tenant_id", "=", tenantId)
    .where("id", "=", id)
    .where(sql<boolean>`(status = 'uploaded' or (status = 'processing' and processing_until < now()))`)
    .returningAll()
    .executeTakeFirst();
  return row === undefined ? null : mediaOf(row);
}

/** Puts back what could not be worked on just now. */
export async function releaseImage({ db, tenantId }: TenantDatabase<Tables>, id: string): Promise<void> {
  await db
    .updateTable("media")
    .set({ status: "uploaded", processing_until: null })
    .where("tenant_id", "=", tenantId)
    .where("id", "=", id)
    .where("status", "=", "processing")
    .execute();
}

/**
 * Writes the outcome and, where it is good, `media.processed` on the uploader's behalf. Out: what it was; `gone` where
 * the asset was deleted meanwhile, whose new files are then due for removal; `done` where another was faster.
 */
export async function settleImage(
  tenant: TenantDatabase<Tables>,
  id: string,
  outcome: Outcome,
): Promise<"settled" | "gone" | "done"> {
  return await tenant.transaction(async (within) => {
    const { db, tenantId } = within;
    const row = await db
      .updateTable("media")
      .set({ ...columnsOf(outcome), processing_until: null })
      .where("tenant_id", "=", tenantId)
      .where("id", "=", id)
      .where("status", "=", "processing")
      .returningAll()
      .executeTakeFirst();
    if (row !== undefined) {
      const cause = causeOf(tenantId, row.uploaded_by);
      if (row.status === "ready") await writeEvent(db, "media.processed", mediaOf(row), cause);
      return "settled";
    }
    const still = db.selectFrom("media").select("id").where("tenant_id", "=", tenantId).where("id", "=", id);
    if ((await still.executeTakeFirst()) !== undefined) return "done";
    await leaveFiles(within, id, null);
    return "gone";
  });
}

function columnsOf(outcome: Outcome) {
  if ("failureReason" in outcome) return { status: "failed" as const, failure_reason: outcome.failureReason };
  const { width, height, variants } = outcome;
  return { status: "ready" as const, width, height, variants: JSON.stringify(variants) };
}
