// Creates, lists and cancels replays (interface §18). `advance-replay.ts` sends their deliveries.
import { ApiError, invalid, required, requireMatch } from "@tradepost/http";
import type { Cause } from "@tradepost/messaging";
import { newestFirst } from "@tradepost/postgres";
import { newId } from "@tradepost/runtime";
import { type Kysely, type Selectable, sql } from "kysely";
import { restarts } from "../delivery/delivery.ts";
import { NO_TYPES_OF_ORDERS, NOT_OFFERED, type Sight } from "../offered-types.ts";
import { recordAudit } from "../record-audit.ts";
import type { Conditions } from "../route-context.ts";
import type { Tables, Tenant } from "../tables.ts";
import {
  actionFor,
  type Candidate,
  findCandidates,
  type Period,
  type Position,
  START,
} from "./candidates.ts";
import type { Selection } from "./replay-input.ts";

export const BATCH_MAX = 500;
const COUNTED_AT_A_TIME = 5_000;

export type Row = Selectable<Tables["replays"]>;

const SHOWN = [
  "id",
  "subscription_id as subscriptionId",
  "include",
  "since",
  "until",
  "status",
  "matched",
  "requeued",
  "skipped",
  "created_at as createdAt",
  "finished_at as finishedAt",
] as const;

/** Throws 412 `version_mismatch`, and 422 if `since` is not in the past. */
export async function countMatched(
  tenant: Tenant,
  subscriptionId: string,
  selection: Selection,
  ifMatch: string | undefined,
): Promise<{ matched: number; period: Period } | null> {
  const { rows } = await sql<{ until: Date }>`
    select least(${selection.until ?? null}::timestamptz(3), now()::timestamptz(3)) as until`.execute(
    tenant.db,
  );
  const period = { ...selection, until: rows[0]?.until ?? new Date() };
  if (period.since >= period.until) throw invalid([{ path: "since", message: "must be in the past" }]);
  const subscription = await findWanted(tenant, subscriptionId);
  if (subscription === null) return null;
  requireMatch(ifMatch, subscription.version);
  let matched = 0;
  for (let after: Position | undefined = START; after !== undefined; ) {
    const where = { subscriptionId, selection: period, after, limit: COUNTED_AT_A_TIME };
    const page: Candidate[] = await findCandidates(tenant, where);
    matched += page.filter((candidate) => actionFor(candidate, period, subscription) !== null).length;
    after = page.length < COUNTED_AT_A_TIME ? undefined : page.at(-1);
  }
  return { matched, period };
}

export async function findWanted({ db, tenantId }: Tenant, id: string) {
  const found = await db
    .selectFrom("subscriptions")
    .select(["events", "filter", "version"])
    .select(NOT_OFFERED)
    .where("tenant_id", "=", tenantId)
    .where("id", "=", id)
    .where("url", "is not", null)
    .executeTakeFirst();
  return found ?? null;
}

/**
 * Sends nothing yet.
 * @throws 409 `replay_running`, but not for a recovery; 412 `version_mismatch`; 422 if `since` is not in the past.
 */
export async function createReplay(
  tx: Tenant,
  subscriptionId: string,
  selection: Selection,
  { ifMatch, cause }: Conditions,
  kind: "replay" | "recovery",
) {
  // Before the lock, because there may be hundreds of thousands of deliveries.
  const counted = await countMatched(tx, subscriptionId, selection, ifMatch);
  const subscription = await restarts.lock(tx, subscriptionId);
  if (counted === null || subscription === null) return null;
  requireMatch(ifMatch, subscription.version);
  if (kind === "replay") await requireNoneRunning(tx, subscriptionId);
  const { include, since, until, ...narrowed } = counted.period;
  const created = await tx.db
    .insertInto("replays")
    .values({
      tenant_id: tx.tenantId,
      id: newId(),
      subscription_id: subscriptionId,
      ...{ include, since, until, narrowed: JSON.stringify(narrowed), matched: counted.matched },
    })
    .returning(SHOWN)
    .executeTakeFirstOrThrow();
  const target = { type: "webhook_subscription", id: subscriptionId } as const;
  const changes = {
    ...(kind === "replay" ? { replayId: created.id, include, ...narrowed } : { recoveryId: created.id }),
    ...{ since, until: selection.until ?? null, matched: counted.matched },
  };
  await recordAudit(tx, `webhook_${kind}.started`, target, cause, changes);
  return created;
}

async function requireNoneRunning({ db, tenantId }: Tenant, subscriptionId: string): Promise<void> {
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

export async function findReplay({ db, tenantId }: Tenant, id: string, { hidesOrders = false }: Sight = {}) {
  const all = db.selectFrom("replays").select(SHOWN).where("tenant_id", "=", tenantId).where("id", "=", id);
  return (await (hidesOrders ? all.where(IS_WITHOUT_ORDERS) : all).executeTakeFirst()) ?? null;
}

export async function listReplays(
  tenant: Tenant,
  subscriptionId: string,
  page: { limit: number; cursor: { createdAt: Date; id: string } | null },
  { hidesOrders = false }: Sight = {},
) {
  if ((await findWanted(tenant, subscriptionId)) === null) return null;
  const all = tenant.db
    .selectFrom("replays")
    .select(SHOWN)
    .where("tenant_id", "=", tenant.tenantId)
    .where("subscription_id", "=", subscriptionId);
  return await newestFirst(hidesOrders ? all.where(IS_WITHOUT_ORDERS) : all, page).execute();
}

/** A replay's counts are not by type, so all replays of a subscription to events of orders are hidden together. */
const IS_WITHOUT_ORDERS = sql<boolean>`not exists (
  select from subscriptions
   where subscriptions.tenant_id = replays.tenant_id and subscriptions.id = subscription_id and not ${NO_TYPES_OF_ORDERS})`;

/** Stops an unfinished replay, and takes back a batch of its unsent deliveries. Throws 404 if it or its subscription is gone. */
export async function cancelReplay(tx: Tenant, id: string, cause: Cause): Promise<void> {
  const { subscriptionId } = required(await findReplay(tx, id), "replay");
  required(await restarts.lock(tx, subscriptionId), "replay");
  const before = await lockReplay(tx.db, tx.tenantId, id);
  if (before === undefined || before.status === "cancelled") return;
  const { taken, isAll } = await restarts.takeBack(tx, subscriptionId, id, BATCH_MAX);
  if (before.status === "finished" && taken === 0 && isAll) return;
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
  await recordAudit(tx, "webhook_replay.cancelled", target, cause, { replayId: id });
}

/** Counts a finished replay: all that it matched was sent or skipped. */
export function countsOf({ matched }: Row, requeued: number) {
  return { requeued, matched: Math.max(matched, requeued), skipped: Math.max(matched - requeued, 0) };
}

export function lockReplay(db: Kysely<Tables>, tenantId: string, id: string): Promise<Row | undefined> {
  return db
    .selectFrom("replays")
    .selectAll()
    .where("tenant_id", "=", tenantId)
    .where("id", "=", id)
    .forUpdate()
    .executeTakeFirst();
}
