// Stores replays and advances them batch by batch (interface §18). Each transaction sends a batch and moves the position in the
// replay's row, so a replay continues after a crash and sends nothing twice.
import { ApiError, requireMatch } from "@tradepost/http";
import { newestFirst, type Tenant, tenantOf } from "@tradepost/postgres";
import { newId } from "@tradepost/runtime";
import { failPoint } from "@tradepost/runtime/fail-point";
import { type Kysely, type Selectable, sql, type UpdateObject } from "kysely";
import {
  deliveryIdOf,
  insertReplayed,
  lockForRestart,
  restartDeliveries,
  takeBackReplayed,
} from "../delivery/delivery.ts";
import { recordAudit } from "../record-audit.ts";
import type { Conditions } from "../route-context.ts";
import type { Tables } from "../tables.ts";
import {
  actionFor,
  type Candidate,
  findCandidates,
  type Period,
  type Position,
  START,
  type Wanted,
} from "./candidates.ts";
import type { Narrowing, Selection } from "./replay-input.ts";

const BATCH_MAX = 500;
const COUNTED_AT_A_TIME = 5_000;

type Row = Selectable<Tables["replays"]>;

/** Throws 412 `version_mismatch`. */
export async function countMatched(
  tenant: Tenant<Tables>,
  subscriptionId: string,
  selection: Selection,
  ifMatch: string | undefined,
): Promise<number | null> {
  const counted = await count(tenant, subscriptionId, selection, ifMatch);
  return counted?.matched ?? null;
}

async function count(
  tenant: Tenant<Tables>,
  subscriptionId: string,
  selection: Selection,
  ifMatch: string | undefined,
): Promise<{ matched: number; period: Period } | null> {
  const subscription = await findWanted(tenant, subscriptionId);
  if (subscription === null) return null;
  requireMatch(ifMatch, subscription.version);
  const { rows } = await sql<{ until: Date }>`
    select least(${selection.until ?? null}::timestamptz(3), now()::timestamptz(3)) as until`.execute(
    tenant.db,
  );
  const period = { ...selection, until: rows[0]?.until ?? new Date() };
  let matched = 0;
  for (let after: Position | undefined = START; after !== undefined; ) {
    const page: Candidate[] = await findCandidates(tenant, subscriptionId, period, after, COUNTED_AT_A_TIME);
    matched += page.filter((candidate) => actionFor(candidate, period, subscription) !== null).length;
    after = page.length < COUNTED_AT_A_TIME ? undefined : page.at(-1);
  }
  return { matched, period };
}

/** Not a listener. */
async function findWanted({ db, tenantId }: Tenant<Tables>, id: string) {
  const found = await db
    .selectFrom("subscriptions")
    .select(["events", "filter", "version"])
    .where("tenant_id", "=", tenantId)
    .where("id", "=", id)
    .where("url", "is not", null)
    .executeTakeFirst();
  return found ?? null;
}

/**
 * Sends nothing yet. A recovery may start while another replay runs.
 *
 * @throws 409 `replay_running`; 412 `version_mismatch`.
 */
export async function createReplay(
  tx: Tenant<Tables>,
  subscriptionId: string,
  selection: Selection,
  { ifMatch, cause }: Conditions,
  kind: "replay" | "recovery",
) {
  // Counts before it locks, because there may be hundreds of thousands of deliveries.
  const counted = await count(tx, subscriptionId, selection, ifMatch);
  const subscription = await lockForRestart(tx, subscriptionId);
  if (counted === null || subscription === null) return null;
  requireMatch(ifMatch, subscription.version);
  if (kind === "replay") await requireNoneRunning(tx, subscriptionId);
  const { include, since, until, ...narrowed } = counted.period;
  const row = await tx.db
    .insertInto("replays")
    .values({
      tenant_id: tx.tenantId,
      id: newId(),
      subscription_id: subscriptionId,
      ...{ include, since, until, narrowed: JSON.stringify(narrowed), matched: counted.matched },
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  const target = { type: "webhook_subscription", id: subscriptionId } as const;
  const changes = {
    ...(kind === "replay" ? { replayId: row.id, include, ...narrowed } : { recoveryId: row.id }),
    ...{ since, until: selection.until ?? null, matched: counted.matched },
  };
  await recordAudit(tx, { action: `webhook_${kind}.started`, target, changes }, cause);
  return replayOf(row);
}

async function requireNoneRunning({ db, tenantId }: Tenant<Tables>, subscriptionId: string): Promise<void> {
  const running = await db
    .selectFrom("replays")
    .select("id")
    .where("tenant_id", "=", tenantId)
    .where("subscription_id", "=", subscriptionId)
    .where("status", "=", "running")
    .where(sql<boolean>`has_work`)
    .orderBy("created_at")
    .limit(1)
    .executeTakeFirst();
  if (running !== undefined)
    throw new ApiError("replay_running", `The replay ${running.id} of this subscription is running.`);
}

export async function findReplay({ db, tenantId }: Tenant<Tables>, id: string) {
  const row = await db
    .selectFrom("replays")
    .selectAll()
    .where("tenant_id", "=", tenantId)
    .where("id", "=", id)
    .executeTakeFirst();
  return row === undefined ? null : replayOf(row);
}

export async function listReplays(
  tenant: Tenant<Tables>,
  subscriptionId: string,
  page: { limit: number; cursor: { createdAt: Date; id: string } | null },
) {
  if ((await findWanted(tenant, subscriptionId)) === null) return null;
  const rows = await newestFirst(
    tenant.db
      .selectFrom("replays")
      .selectAll()
      .where("tenant_id", "=", tenant.tenantId)
      .where("subscription_id", "=", subscriptionId),
    page,
  ).execute();
  return rows.map(replayOf);
}

/** Stops a replay, unless it has sent everything, and takes back a batch of its unsent deliveries. */
export async function cancelReplay(
  tx: Tenant<Tables>,
  id: string,
  { cause }: Conditions,
): Promise<true | null> {
  const found = await findReplay(tx, id);
  if (found === null || (await lockForRestart(tx, found.subscriptionId)) === null) return null;
  const { subscriptionId } = found;
  const before = await lockReplay(tx.db, tx.tenantId, id);
  if (before === undefined || before.status === "cancelled") return true;
  const { taken, isAll } = await takeBackReplayed(tx, subscriptionId, id, BATCH_MAX);
  if (before.status === "finished" && taken === 0 && isAll) return true;
  const requeued = before.requeued - taken;
  await tx.db
    .updateTable("replays")
    .set({
      status: "cancelled",
      ...countsOf(before, requeued),
      finished_at: sql<Date>`now()`,
      has_work: true,
    })
    .where("tenant_id", "=", tx.tenantId)
    .where("id", "=", id)
    .execute();
  const target = { type: "webhook_subscription", id: subscriptionId } as const;
  await recordAudit(tx, { action: "webhook_replay.cancelled", target, changes: { replayId: id } }, cause);
  return true;
}

/** `wait`: another batch, once other transactions have ended. */
export type Progress = "next" | "wait" | "end";

/** Sends the next batch of a replay, or takes back the next batch of a cancelled one. */
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
    if ((await lockForRestart(tx, found.subscriptionId)) === null) return "end";
    // Read again under the lock: another replica may have advanced it.
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

async function takeBack(tx: Tenant<Tables>, replay: Row): Promise<Batch> {
  const { taken, isAll } = await takeBackReplayed(tx, replay.subscription_id, replay.id, BATCH_MAX);
  return {
    change: { ...countsOf(replay, replay.requeued - taken), has_work: !isAll },
    progress: isAll ? "end" : taken === 0 ? "wait" : "next",
  };
}

async function send(tx: Tenant<Tables>, replay: Row): Promise<Batch> {
  const { subscription_id: subscriptionId } = replay;
  const subscription = (await findWanted(tx, subscriptionId)) ?? { events: [], filter: null };
  const selection = selectionOf(replay);
  const { at, isTooEarly } = await readProgress(tx, replay);
  if (isTooEarly) return { change: { requeued: replay.requeued }, progress: "wait" };
  const after = { at, id: replay.after_id };
  const page = await findCandidates(tx, subscriptionId, selection, after, BATCH_MAX);
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
 * the subscription was created or changed. An id from another server, in a restored database, counts as past.
 */
async function readProgress(tx: Tenant<Tables>, { id, include }: Row) {
  const { rows } = await sql<{ at: string; isTooEarly: boolean }>`
    select after_at::text as at,
           ${include !== "failed"} and created_xid >= pg_snapshot_xmin(snapshot)
           and created_xid < pg_snapshot_xmax(snapshot) as "isTooEarly"
      from replays, pg_current_snapshot() as snapshot
     where tenant_id = ${tx.tenantId} and id = ${id}`.execute(tx.db);
  return rows[0] ?? { at: START.at, isTooEarly: false };
}

async function sendPage(
  tx: Tenant<Tables>,
  { id, subscription_id: subscriptionId }: Row,
  page: readonly Candidate[],
  selection: Period,
  wanted: Wanted,
): Promise<number> {
  const restarted = page.filter((one) => actionFor(one, selection, wanted) === "restart");
  const ids = restarted.flatMap(({ deliveryId }) => deliveryId ?? []);
  const made = page
    .filter((one) => actionFor(one, selection, wanted) === "make")
    .map(({ eventId, type, event }) => {
      const identity = { id: eventId, occurredAt: new Date(event?.occurredAt ?? 0) };
      return { deliveryId: deliveryIdOf(identity, subscriptionId), eventId, type };
    });
  const restartedCount = (await restartDeliveries(tx, subscriptionId, ids, id)) ?? 0;
  return restartedCount + (await insertReplayed(tx, subscriptionId, id, made));
}

/** Returns the final counts of a replay: everything that it matched was sent or skipped. */
function countsOf({ matched }: Row, requeued: number) {
  return { requeued, matched: Math.max(matched, requeued), skipped: Math.max(matched - requeued, 0) };
}

function selectionOf({ include, since, until, narrowed }: Row): Period {
  return { include, since, until, ...(narrowed as Narrowing) };
}

/** Older than `ageMs`, so that no replica still advances them for a waiting caller. */
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

function lockReplay(db: Kysely<Tables>, tenantId: string, id: string): Promise<Row | undefined> {
  return db
    .selectFrom("replays")
    .selectAll()
    .where("tenant_id", "=", tenantId)
    .where("id", "=", id)
    .forUpdate()
    .executeTakeFirst();
}

function replayOf(row: Row) {
  return {
    id: row.id,
    subscriptionId: row.subscription_id,
    include: row.include,
    since: row.since,
    until: row.until,
    status: row.status,
    matched: row.matched,
    requeued: row.requeued,
    skipped: row.skipped,
    createdAt: row.created_at,
    finishedAt: row.finished_at,
  };
}
