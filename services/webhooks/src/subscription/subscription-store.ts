// Changes and reads subscriptions. What a change means for the deliveries that wait is done in its transaction.
import { ApiError, type PageQuery } from "@tradepost/http";
import { outboxRow } from "@tradepost/messaging";
import { newestFirst } from "@tradepost/postgres";
import { type Kysely, type Selectable, sql, type Transaction } from "kysely";
import type { DeliveryStatus } from "../delivery/delivery.ts";
import type { Tables } from "../tables.ts";
import { healthStatus } from "./health.ts";

type Cause = Parameters<typeof outboxRow>[3];

const SUBSCRIPTIONS_MAX = 50;

export interface SubscriptionChange {
  readonly name?: string | undefined;
  readonly url?: string | undefined;
  readonly events?: string[] | undefined;
  readonly active?: boolean | undefined;
}

interface NewSubscription {
  readonly id: string;
  readonly name: string;
  readonly url: string;
  readonly events: string[];
  readonly secretSealed: Buffer;
  readonly secretPreview: string;
}

/** Throws 409 `subscription_limit` where the tenant has 50 already; creations of one tenant wait for each other. */
export async function insertSubscription(db: Kysely<Tables>, subscription: NewSubscription, cause: Cause) {
  const { tenantId } = cause.principal;
  return await db.transaction().execute(async (tx) => {
    await sql`select pg_advisory_xact_lock(hashtextextended(${tenantId}, 0))`.execute(tx);
    const { count } = await tx
      .selectFrom("subscriptions")
      .select((is) => is.fn.countAll<string>().as("count"))
      .where("tenant_id", "=", tenantId)
      .executeTakeFirstOrThrow();
    if (Number(count) >= SUBSCRIPTIONS_MAX) {
      throw new ApiError("subscription_limit", `A tenant can have ${SUBSCRIPTIONS_MAX} subscriptions.`);
    }
    const row = await tx
      .insertInto("subscriptions")
      .values({
        tenant_id: tenantId,
        id: subscription.id,
        name: subscription.name,
        url: subscription.url,
        events: subscription.events,
        secret_sealed: subscription.secretSealed,
        secret_preview: subscription.secretPreview,
      })
      .returningAll()
      .executeTakeFirstOrThrow();
    const { name, url, events } = subscription;
    await noteInAuditLog(tx, "webhook_subscription.created", row.id, { name, url, events }, cause);
    return subscriptionOf(row);
  });
}

export async function findSubscription(db: Kysely<Tables>, tenantId: string, id: string) {
  const row = await db
    .selectFrom("subscriptions")
    .selectAll()
    .where("tenant_id", "=", tenantId)
    .where("id", "=", id)
    .executeTakeFirst();
  return row === undefined ? null : subscriptionOf(row);
}

/** Newest first; one row more than the limit where there is a next page. */
export async function listSubscriptions(db: Kysely<Tables>, tenantId: string, page: PageQuery) {
  const all = db.selectFrom("subscriptions").selectAll().where("tenant_id", "=", tenantId);
  const rows = await newestFirst(all, page).execute();
  return rows.map(subscriptionOf);
}

/**
 * Out: the subscription after the change, or null where the tenant has none of this id. Pausing keeps what waits as
 * `paused`; resuming lets the feed send it, oldest first and no faster than the window.
 */
export async function changeSubscription(
  db: Kysely<Tables>,
  id: string,
  change: SubscriptionChange,
  cause: Cause,
) {
  const { tenantId } = cause.principal;
  return await db.transaction().execute(async (tx) => {
    const before = await tx
      .selectFrom("subscriptions")
      .selectAll()
      .where("tenant_id", "=", tenantId)
      .where("id", "=", id)
      .forUpdate()
      .executeTakeFirst();
    if (before === undefined) return null;
    const after = {
      ...before,
      name: change.name ?? before.name,
      url: change.url ?? before.url,
      events: change.events ?? before.events,
      active: change.active ?? before.active,
    };
    await tx
      .updateTable("subscriptions")
      .set({ name: after.name, url: after.url, events: after.events, active: after.active })
      .where("tenant_id", "=", tenantId)
      .where("id", "=", id)
      .execute();
    if (before.active && !after.active) {
      await updateDeliveries(tx, before, ["pending", "retrying"])
        .set({ status: "paused", next_attempt_at: null, place: null })
        .execute();
    }
    if (!before.active && after.active) {
      await updateDeliveries(tx, before, ["paused"])
        .set({
          status: sql<"pending">`case when attempt_count = 0 then 'pending' else 'retrying' end`,
          next_attempt_at: sql<Date>`now()`,
          place: "waiting",
        })
        .execute();
    }
    await noteInAuditLog(tx, "webhook_subscription.updated", id, { ...change }, cause);
    return subscriptionOf(after);
  });
}

/** Removes the subscription for good and cancels what was pending; the log of its deliveries stays. */
export async function deleteSubscription(db: Kysely<Tables>, id: string, cause: Cause): Promise<boolean> {
  const { tenantId } = cause.principal;
  return await db.transaction().execute(async (tx) => {
    const { numDeletedRows } = await tx
      .deleteFrom("subscriptions")
      .where("tenant_id", "=", tenantId)
      .where("id", "=", id)
      .executeTakeFirstOrThrow();
    await updateDeliveries(tx, { tenant_id: tenantId, id }, ["pending", "retrying", "paused"])
      .set({ status: "cancelled", next_attempt_at: null, place: null, completed_at: sql<Date>`now()` })
      .execute();
    const wasThere = numDeletedRows > 0n;
    if (wasThere) await noteInAuditLog(tx, "webhook_subscription.deleted", id, {}, cause);
    return wasThere;
  });
}

/** In the transaction of the change itself: one is never without the other (contract §2, "Audit log"). */
async function noteInAuditLog(
  tx: Transaction<Tables>,
  action: string,
  id: string,
  changes: Record<string, unknown>,
  cause: Cause,
): Promise<void> {
  const entry = { target: { type: "webhook_subscription", id }, changes };
  await tx
    .insertInto("outbox")
    .values(outboxRow(action, id, entry, cause))
    .execute();
}

/**
 * Out: the update of the subscription's deliveries of these statuses. They are locked in the order of their ids, as
 * dispatch locks them: in any other, the two would wait for each other.
 */
function updateDeliveries(
  tx: Transaction<Tables>,
  { tenant_id, id }: { tenant_id: string; id: string },
  statuses: readonly DeliveryStatus[],
) {
  return tx
    .with("waiting", (db) =>
      db
        .selectFrom("deliveries")
        .select(["tenant_id", "id"])
        .where("tenant_id", "=", tenant_id)
        .where("subscription_id", "=", id)
        .where("status", "in", statuses)
        .orderBy("tenant_id")
        .orderBy("id")
        .forNoKeyUpdate(),
    )
    .updateTable("deliveries")
    .from("waiting")
    .whereRef("deliveries.tenant_id", "=", "waiting.tenant_id")
    .whereRef("deliveries.id", "=", "waiting.id");
}

function subscriptionOf(row: Selectable<Tables["subscriptions"]>) {
  return {
    id: row.id,
    name: row.name,
    url: row.url,
    events: row.events,
    active: row.active,
    signingSecretPreview: row.secret_preview,
    health: {
      status: healthStatus(row.consecutive_failures),
      consecutiveFailures: row.consecutive_failures,
      lastSuccessAt: row.last_success_at,
      lastFailureAt: row.last_failure_at,
      lastError: row.last_error,
    },
    createdAt: row.created_at,
  };
}
