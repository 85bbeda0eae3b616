// The rows of the canary: its subscription, of a reserved tenant id, and the last delivery in the log. The last canary is the latest
// commit: older ones may be published again and arrive later.
import { CANARY_TENANT_ID } from "@tradepost/event-catalog";
import { isDatabaseUnavailable, tenantOf } from "@tradepost/postgres";
import { type Kysely, sql } from "kysely";
import type { Sealing } from "../endpoint/endpoint.ts";
import { requestReconciliation } from "../subscriptions/subscriptions.ts";
import type { Tables } from "../tables.ts";

const CANARY_SUBSCRIPTION_ID = CANARY_TENANT_ID;
export const CANARY_HOST = "canary.invalid";

const URL_OF_CANARY = `https://${CANARY_HOST}/`;

/** Replaces a secret that the sealing key no longer opens. */
export async function ensureCanarySubscription(db: Kysely<Tables>, sealing: Sealing): Promise<void> {
  const made = sealing.newSecret(CANARY_TENANT_ID, CANARY_SUBSCRIPTION_ID);
  const sealed = { secret_sealed: made.sealed, secret_preview: made.preview };
  await db
    .insertInto("subscriptions")
    .values({
      tenant_id: CANARY_TENANT_ID,
      id: CANARY_SUBSCRIPTION_ID,
      name: "Canary",
      url: URL_OF_CANARY,
      events: ["redirect.added"],
      ...sealed,
    })
    .onConflict((conflict) => conflict.columns(["tenant_id", "id"]).doNothing())
    .execute();
  try {
    await readCanarySecret(db, sealing);
  } catch (error) {
    if (isDatabaseUnavailable(error)) throw error;
    await db
      .updateTable("subscriptions")
      .set(sealed)
      .where("tenant_id", "=", CANARY_TENANT_ID)
      .where("id", "=", CANARY_SUBSCRIPTION_ID)
      .execute();
  }
}

/** Not cached, because another replica may replace it. */
export async function readCanarySecret(db: Kysely<Tables>, sealing: Sealing): Promise<string> {
  const { secret_sealed } = await db
    .selectFrom("subscriptions")
    .select("secret_sealed")
    .where("tenant_id", "=", CANARY_TENANT_ID)
    .where("id", "=", CANARY_SUBSCRIPTION_ID)
    .executeTakeFirstOrThrow();
  return sealing.openSecret(secret_sealed, CANARY_TENANT_ID, CANARY_SUBSCRIPTION_ID);
}

export async function deleteCanarySubscription(db: Kysely<Tables>): Promise<void> {
  await tenantOf(db, CANARY_TENANT_ID).transaction(async (tx) => {
    const found = await tx.db
      .selectFrom("subscriptions")
      .select("id")
      .where("tenant_id", "=", CANARY_TENANT_ID)
      .where("id", "=", CANARY_SUBSCRIPTION_ID)
      .forUpdate()
      .executeTakeFirst();
    if (found === undefined) return;
    await requestReconciliation(tx, CANARY_SUBSCRIPTION_ID);
    await tx.db.deleteFrom("subscriptions").where("tenant_id", "=", CANARY_TENANT_ID).execute();
  });
}

/** The age is since its commit, or since the canary was switched on; the latency is NaN before the first delivery. */
export type LastCanary = Readonly<Record<"ageSeconds" | "latencySeconds", number>>;

const RECENT_MAX = 100;

export async function readLastCanary(db: Kysely<Tables>): Promise<LastCanary> {
  // `occurred_at` is by the content database's clock, so differences may be negative.
  const { rows } = await sql<{ ageSeconds: number; latencySeconds: number | null }>`
    select greatest(0, extract(epoch from clock_timestamp() - coalesce(delivery.occurred_at, subscription.created_at)))::float
             as "ageSeconds",
           greatest(0, extract(epoch from delivery.completed_at - delivery.occurred_at))::float as "latencySeconds"
      from subscriptions as subscription
      left join lateral (
        select occurred_at, completed_at
          from (select event_id, completed_at from delivery_log
                 where delivery_log.tenant_id = subscription.tenant_id and subscription_id = subscription.id
                   and status = 'delivered'
                 order by created_at desc, id desc
                 limit ${RECENT_MAX}) as recent
          join events on events.tenant_id = subscription.tenant_id and events.id = recent.event_id
         order by occurred_at desc
         limit 1
      ) delivery on true
     where subscription.tenant_id = ${CANARY_TENANT_ID} and subscription.id = ${CANARY_SUBSCRIPTION_ID}`.execute(
    db,
  );
  const [last] = rows;
  if (last === undefined) throw new Error("the canary has no subscription");
  return { ageSeconds: last.ageSeconds, latencySeconds: last.latencySeconds ?? Number.NaN };
}
