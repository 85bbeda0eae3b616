// Sends the deliveries of a replay batch by batch (interface §18). Each transaction sends a batch and moves the position in the
// replay's row, so a replay continues after a crash and sends nothing twice.
//
//   running    sends batches; after the last one it is finished
//   finished   has no work
//   cancelled  takes back, batch by batch, what was not sent; it was running, or finished with unsent deliveries
import { tenantOf } from "@tradepost/postgres";
import { failPoint } from "@tradepost/runtime/fail-point";
import { type Kysely, sql, type UpdateObject } from "kysely";
import { ids, inserts, restarts } from "../delivery/delivery.ts";
import type { Tables, Tenant } from "../tables.ts";
import { actionFor, type Candidate, findCandidates, type Period, START, type Wanted } from "./candidates.ts";
import type { Narrowing } from "./replay-input.ts";
import { BATCH_MAX, countsOf, findWanted, lockReplay, type Row } from "./replay-store.ts";

/** `wait`: another batch, once other transactions have ended. */
export type Progress = "next" | "wait" | "end";

export async function advanceReplay(db: Kysely<Tables>, id: string): Promise<Progress> {
  const progress = await db.transaction().execute(async (transaction) => {
    const found = await transaction
      .selectFrom("replays")
      .select(["tenant_id as tenantId", "subscription_id as subscriptionId"])
      .where("id", "=", id)
      .where(sql<boolean>`has_work`)
      .executeTakeFirst();
    if (found === undefined) return "end";
    const tx = tenantOf(transaction, found.tenantId);
    if ((await restarts.lock(tx, found.subscriptionId)) === null) return "end";
    // Another replica may have advanced it.
    const replay = await lockReplay(transaction, found.tenantId, id);
    if (replay === undefined || !replay.has_work) return "end";
    const { change, progress } =
      replay.status === "cancelled" ? await takeBack(tx, replay) : await send(tx, replay);
    await tx.db
      .updateTable("replays")
      .set(change)
      .where("tenant_id", "=", found.tenantId)
      .where("id", "=", id)
      .execute();
    return progress;
  });
  failPoint("replay.batch-committed");
  return progress;
}

interface Batch {
  readonly change: UpdateObject<Tables, "replays">;
  readonly progress: Progress;
}

async function takeBack(tx: Tenant, replay: Row): Promise<Batch> {
  const { taken, isAll } = await restarts.takeBack(tx, replay.subscription_id, replay.id, BATCH_MAX);
  return {
    change: { ...countsOf(replay, replay.requeued - taken), has_work: !isAll },
    progress: isAll ? "end" : taken === 0 ? "wait" : "next",
  };
}

async function send(tx: Tenant, replay: Row): Promise<Batch> {
  const { subscription_id: subscriptionId } = replay;
  const subscription = (await findWanted(tx, subscriptionId)) ?? { events: [], filter: null, notOffered: [] };
  const { include, since, until, narrowed } = replay;
  const selection: Period = { include, since, until, ...(narrowed as Narrowing) };
  const { at, isTooEarly } = await readProgress(tx, replay);
  if (isTooEarly) return { change: { requeued: replay.requeued }, progress: "wait" };
  const after = { at, id: replay.after_id };
  const page = await findCandidates(tx, { subscriptionId, selection, after, limit: BATCH_MAX });
  const requeued = replay.requeued + (await sendPage(tx, replay, page, selection, subscription));
  const last = page.at(-1);
  if (last === undefined || page.length < BATCH_MAX)
    return {
      change: { status: "finished", finished_at: sql`now()`, has_work: false, ...countsOf(replay, requeued) },
      progress: "end",
    };
  return { change: { requeued, after_at: last.at, after_id: last.id }, progress: "next" };
}

/**
 * It is too early for the next page while a transaction from before the replay is open: it may insert an event that it matched before
 * the subscription was created or changed. A transaction id from another server, in a restored database, counts as past.
 */
async function readProgress(tx: Tenant, { id, include }: Row) {
  const { rows } = await sql<{ at: string; isTooEarly: boolean }>`
    select after_at::text as at,
           ${include !== "failed"} and created_xid >= pg_snapshot_xmin(snapshot)
           and created_xid < pg_snapshot_xmax(snapshot) as "isTooEarly"
      from replays, pg_current_snapshot() as snapshot
     where tenant_id = ${tx.tenantId} and id = ${id}`.execute(tx.db);
  return rows[0] ?? { at: START.at, isTooEarly: false };
}

async function sendPage(
  tx: Tenant,
  { id, subscription_id: subscriptionId }: Row,
  page: readonly Candidate[],
  selection: Period,
  wanted: Wanted,
): Promise<number> {
  const restarted = page.filter((one) => actionFor(one, selection, wanted) === "restart");
  const deliveryIds = restarted.flatMap(({ deliveryId }) => deliveryId ?? []);
  const made = page
    .filter((one) => actionFor(one, selection, wanted) === "make")
    .map(({ eventId, type, event }) => {
      const identity = { id: eventId, occurredAt: new Date(event?.occurredAt ?? 0) };
      return { deliveryId: ids.deliveryIdOf(identity, subscriptionId), eventId, type };
    });
  const restartedCount = (await restarts.restart(tx, subscriptionId, deliveryIds, id)) ?? 0;
  return restartedCount + (await inserts.replayed(tx, subscriptionId, id, made));
}

/** Finds replays older than `ageMs`: no replica still advances them for a waiting caller. */
export async function findWithWork(db: Kysely<Tables>, ageMs: number): Promise<string[]> {
  const rows = await db
    .selectFrom("replays")
    .select("id")
    .where(sql<boolean>`has_work`)
    .where("created_at", "<", sql<Date>`now() - ${ageMs} * interval '1 ms'`)
    .orderBy("created_at")
    .limit(100)
    .execute();
  return rows.map(({ id }) => id);
}
