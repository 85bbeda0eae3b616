// Writes and reads subscriptions.

import { ApiError, type PageQuery } from "@tradepost/http";
import type { Cause } from "@tradepost/messaging";
import { newestFirst } from "@tradepost/postgres";
import { type Kysely, type Selectable, sql } from "kysely";
import { recordAudit } from "../record-audit.ts";
import type { Tables } from "../tables.ts";
import { healthStatus } from "./health.ts";

const SUBSCRIPTIONS_MAX = 50;

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
    const target = { type: "webhook_subscription", id: row.id } as const;
    await recordAudit(tx, "webhook_subscription.created", target, { name, url, events }, cause);
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

export function subscriptionOf(row: Selectable<Tables["subscriptions"]>) {
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
