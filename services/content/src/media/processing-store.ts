// Which image a tenant's turn is for, who works on it, and what came of it. Any number may look at the same time: locked
// rows are passed over.
import type { TenantDatabase } from "@tradepost/postgres";
import { sql } from "kysely";
import type { Pool } from "pg";
import { causeOf } from "../cause.ts";
import type { Tables } from "../tables.ts";
import { TENANTS_FOUND_MAX } from "../take-turns.ts";
import type { Media, Variant } from "./media.ts";
import { leaveFiles, mediaOf, writeEvent } from "./media-store.ts";

export type Outcome =
  | { readonly width: number; readonly height: number; readonly variants: readonly Variant[] }
  | { readonly failureReason: string };

export interface TakenImage {
  readonly media: Media;
  /** Decoders, or whole services, that died on it. */
  readonly triesFailed: number;
}

/** How many tries that end without a result an image has. */
export const TRIES_MAX = 3;

// Longer than a turn may take.
const IN_HAND_SECONDS = 300;
const OUTAGE_WAIT_SECONDS = 15;
// A machine that is short of memory for a moment has time to recover.
const TRY_WAIT_SECONDS = [0, 5, 20];

const IS_WAITING = "status in ('uploaded', 'processing')";
const IS_DUE = `${IS_WAITING} and coalesce(processing_until, created_at) <= now()`;

// From tenant to tenant by the index, however many images each has.
const FIND_TENANTS = `
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
   limit ${TENANTS_FOUND_MAX}`;

/** In: `workers`, who see whose images wait and no more. Out: the tenants that have an image to work on now. */
export async function findImageTenants(workers: Pool): Promise<string[]> {
  const { rows } = await workers.query<{ tenantId: string }>(FIND_TENANTS);
  return rows.map(({ tenantId }) => tenantId);
}

/**
 * Out: the image that has been due for longest, now in the caller's hands for 5 minutes, or null where none is due. One
 * whose worker died in that time counts as a failed try.
 */
export async function takeNextImage({ db, tenantId }: TenantDatabase<Tables>): Promise<TakenImage | null> {
  const row = await db
    .updateTable("media")
    .set({
      status: "processing",
      processing_until: sql<Date>`now() + ${IN_HAND_SECONDS} * interval '1 second'`,
      processing_attempts: sql<number>`processing_attempts + (status = 'processing')::int`,
    })
    .where("tenant_id", "=", tenantId)
    .where(
      "id",
      "=",
      sql<string>`(select id from media where tenant_id = ${tenantId} and ${sql.raw(IS_DUE)}
                    order by coalesce(processing_until, created_at), id limit 1 for update skip locked)`,
    )
    .returningAll()
    .executeTakeFirst();
  return row === undefined ? null : { media: mediaOf(row), triesFailed: row.processing_attempts };
}

/** Puts back what could not be worked on just now, for as long as the reason asks. */
export async function releaseImage(
  { db, tenantId }: TenantDatabase<Tables>,
  id: string,
  why: { reason: "stop" | "outage" } | { reason: "failed try"; triesFailed: number },
): Promise<void> {
  const waitSeconds = waitAfter(why);
  await db
    .updateTable("media")
    .set({
      status: "uploaded",
      processing_until: sql<Date>`now() + ${waitSeconds} * interval '1 second'`,
      ...(why.reason === "failed try" && { processing_attempts: why.triesFailed }),
    })
    .where("tenant_id", "=", tenantId)
    .where("id", "=", id)
    .where("status", "=", "processing")
    .execute();
}

function waitAfter(why: Parameters<typeof releaseImage>[2]): number {
  if (why.reason === "failed try") return TRY_WAIT_SECONDS[why.triesFailed] ?? OUTAGE_WAIT_SECONDS;
  return why.reason === "stop" ? 0 : OUTAGE_WAIT_SECONDS;
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
