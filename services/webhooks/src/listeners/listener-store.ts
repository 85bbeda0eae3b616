// Listeners: subscriptions without a URL, with a row of their own in `listeners` (interface §12).
//
// Locks are taken in the order listener, subscription, reconciliation.
import { ApiError, notFound, type Principal, required } from "@tradepost/http";
import type { Cause } from "@tradepost/messaging";
import { newestFirst } from "@tradepost/postgres";
import { type Kysely, sql } from "kysely";
import { closeNoticesOf, openNotice } from "../notices/notices.ts";
import { NO_TYPES_OF_ORDERS, type Sight, sightOf } from "../offered-types.ts";
import { recordAudit } from "../record-audit.ts";
import { lockCreations, requestReconciliation } from "../subscriptions/subscriptions.ts";
import type { Tables, Tenant } from "../tables.ts";
import type { ListenerInput } from "./listener-input.ts";

const LISTENERS_MAX = 20;
// With more open deliveries, only the newest are counted.
const COUNTED_MAX = 10_000;

/** Throws 409 `listener_limit` if the tenant has 20. */
export async function insertListener(
  tx: Tenant,
  { id, sealed, preview }: { readonly id: string; readonly sealed: Buffer; readonly preview: string },
  { name, events, expiresInHours }: ListenerInput,
  cause: Cause,
) {
  const { tenantId } = tx;
  await lockCreations(tx);
  const { count } = await tx.db
    .selectFrom("listeners")
    .select((is) => is.fn.countAll<string>().as("count"))
    .where("tenant_id", "=", tenantId)
    .executeTakeFirstOrThrow();
  if (Number(count) >= LISTENERS_MAX) {
    throw new ApiError(
      "listener_limit",
      `A tenant can have ${LISTENERS_MAX} listeners. Delete one: DELETE /v1/webhooks/listeners/{id}, or \`tradepost listeners delete <id>\`.`,
    );
  }
  const { created_at: createdAt } = await tx.db
    .insertInto("subscriptions")
    .values({
      tenant_id: tenantId,
      id,
      name,
      events,
      url: null,
      secret_sealed: sealed,
      secret_preview: preview,
    })
    .returning("created_at")
    .executeTakeFirstOrThrow();
  const { expires_at: expiresAt } = await tx.db
    .insertInto("listeners")
    .values({
      tenant_id: tenantId,
      subscription_id: id,
      expires_in_hours: expiresInHours,
      expires_at: sql<Date>`now() + ${expiresInHours} * interval '1 hour'`,
    })
    .returning("expires_at")
    .executeTakeFirstOrThrow();
  const changes = { name, events, expiresInHours };
  await recordAudit(tx, "webhook_listener.created", { type: "webhook_listener", id }, cause, changes);
  return { id, name, events, active: true, expiresInHours, expiresAt, createdAt };
}

export async function findListener({ db, tenantId }: Tenant, id: string, sight: Sight) {
  const row = await listenersOf(db, tenantId, sight).where("id", "=", id).executeTakeFirst();
  return row ?? null;
}

export async function isListener({ db, tenantId }: Tenant, id: string): Promise<boolean> {
  const found = await db
    .selectFrom("listeners")
    .select("subscription_id")
    .where("tenant_id", "=", tenantId)
    .where("subscription_id", "=", id)
    .executeTakeFirst();
  return found !== undefined;
}

export async function listListeners(
  { db, tenantId }: Tenant,
  query: Parameters<typeof newestFirst>[1],
  sight: Sight,
) {
  return await newestFirst(listenersOf(db, tenantId, sight), query).execute();
}

/**
 * Needs no lock: a listener's types never change.
 * @throws 404 for a listener with types of orders, if these are hidden from the caller.
 */
export async function requireSight(
  { db, tenantId }: Pick<Tenant, "db" | "tenantId">,
  id: string,
  principal: Principal,
): Promise<void> {
  if (!sightOf(principal).hidesOrders) return;
  const hidden = await db
    .selectFrom("subscriptions")
    .select("id")
    .where("tenant_id", "=", tenantId)
    .where("id", "=", id)
    .where(sql<boolean>`not ${NO_TYPES_OF_ORDERS}`)
    .executeTakeFirst();
  if (hidden !== undefined) throw notFound("listener");
}

function listenersOf(db: Kysely<Tables>, tenantId: string, { hidesOrders }: Sight) {
  const all = db
    .selectFrom("subscriptions")
    .innerJoin("listeners", (join) =>
      join.onRef("listeners.tenant_id", "=", "subscriptions.tenant_id").onRef("subscription_id", "=", "id"),
    )
    .select(["id", "name", "events", "active", "secret_preview as signingSecretPreview"])
    .select(["expires_in_hours as expiresInHours", "expires_at as expiresAt"])
    .select(waiting.as("waiting"))
    .select("created_at as createdAt")
    .where("subscriptions.tenant_id", "=", tenantId);
  return hidesOrders ? all.where(NO_TYPES_OF_ORDERS) : all;
}

// With this order only one index fits (`event-store.ts`). Each open delivery counts once. Whether it counts as paused depends on
// the listener, even during a reconciliation.
const waiting = sql<Record<"pending" | "retrying" | "leased" | "paused", number>>`(
  select json_build_object(
           'pending', count(*) filter (where not leased and active and attempt_count = 0),
           'retrying', count(*) filter (where not leased and active and attempt_count > 0),
           'leased', count(*) filter (where leased),
           'paused', count(*) filter (where not leased and not active))
    from (select attempt_count, coalesce(locked_until > now(), false) as leased
            from deliveries
           where deliveries.tenant_id = subscriptions.tenant_id
             and subscription_id >= subscriptions.id and subscription_id <= subscriptions.id
           order by subscription_id, created_at desc, deliveries.id desc
           limit ${sql.lit(COUNTED_MAX)}) open)`;

/** Its open deliveries are cancelled; their log remains. Throws 404 if it does not exist. */
export async function deleteListener(tx: Tenant, id: string, cause: Cause): Promise<void> {
  required(await lockListener(tx, id), "listener");
  await lockSubscription(tx, id);
  await requestReconciliation(tx, id);
  await closeNoticesOf(tx, id);
  await tx.db.deleteFrom("subscriptions").where("tenant_id", "=", tx.tenantId).where("id", "=", id).execute();
  await recordAudit(tx, "webhook_listener.deleted", { type: "webhook_listener", id }, cause);
}

/** Returns whether it had expired; its paused deliveries can then be leased once they are reconciled. Null if it does not exist. */
export async function resumeListener(tx: Tenant, id: string): Promise<boolean | null> {
  const listener = await lockListener(tx, id);
  if (listener === null || !listener.hasExpired) return listener && false;
  await setExpired(tx, id, false);
  await closeNoticesOf(tx, id, "listener_expired");
  return true;
}

export async function expireListener(tx: Tenant, id: string): Promise<boolean> {
  const listener = await lockListener(tx, id);
  if (listener === null || listener.hasExpired || !listener.isOver) return false;
  await setExpired(tx, id, true);
  await openNotice(tx, { subscriptionId: id, kind: "listener_expired", facts: {} });
  return true;
}

async function setExpired(tx: Tenant, id: string, hasExpired: boolean): Promise<void> {
  await lockSubscription(tx, id);
  await tx.db
    .updateTable("listeners")
    .set({
      has_expired: hasExpired,
      ...(!hasExpired && { expires_at: sql<Date>`now() + expires_in_hours * interval '1 hour'` }),
    })
    .where("tenant_id", "=", tx.tenantId)
    .where("subscription_id", "=", id)
    .execute();
  await tx.db
    .updateTable("subscriptions")
    .set({ active: !hasExpired })
    .where("tenant_id", "=", tx.tenantId)
    .where("id", "=", id)
    .execute();
  await requestReconciliation(tx, id);
}

export async function findOver(db: Kysely<Tables>, limit: number) {
  return await db
    .selectFrom("listeners")
    .select(["tenant_id as tenantId", "subscription_id as subscriptionId"])
    .where(sql<boolean>`not has_expired`)
    .where("expires_at", "<=", sql<Date>`now()`)
    .orderBy("expires_at")
    .limit(limit)
    .execute();
}

async function lockListener({ db, tenantId }: Tenant, id: string) {
  const row = await db
    .selectFrom("listeners")
    .select(["has_expired as hasExpired", sql<boolean>`expires_at <= now()`.as("isOver")])
    .where("tenant_id", "=", tenantId)
    .where("subscription_id", "=", id)
    .forUpdate()
    .executeTakeFirst();
  return row ?? null;
}

async function lockSubscription({ db, tenantId }: Tenant, id: string): Promise<void> {
  await db
    .selectFrom("subscriptions")
    .select("id")
    .where("tenant_id", "=", tenantId)
    .where("id", "=", id)
    .forUpdate()
    .execute();
}
