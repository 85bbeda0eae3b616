// The subscription that the canary's events match. It belongs to a reserved tenant id, so no tenant sees it.

import { CANARY_TENANT_ID } from "@tradepost/event-catalog";
import { isDatabaseUnavailable, tenantOf } from "@tradepost/postgres";
import type { Kysely } from "kysely";
import type { Sealing } from "../sealing/sealing.ts";
import {
  generateSecret,
  openSecret,
  previewOf,
  requestReconciliation,
  sealSecret,
} from "../subscriptions/subscriptions.ts";
import type { Tables } from "../tables.ts";

export const CANARY_SUBSCRIPTION_ID = CANARY_TENANT_ID;
export const CANARY_HOST = "canary.invalid";

const URL_OF_CANARY = `https://${CANARY_HOST}/`;

/** Creates the subscription if it is missing. Replaces a secret that the sealing key no longer opens. */
export async function ensureCanarySubscription(db: Kysely<Tables>, sealing: Sealing): Promise<void> {
  const secret = generateSecret();
  const sealed = {
    secret_sealed: sealSecret(secret, sealing, CANARY_TENANT_ID, CANARY_SUBSCRIPTION_ID),
    secret_preview: previewOf(secret),
  };
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

/** Not cached, since another replica may replace it. Throws if the key does not open it. */
export async function readCanarySecret(db: Kysely<Tables>, sealing: Sealing): Promise<string> {
  const { secret_sealed } = await db
    .selectFrom("subscriptions")
    .select("secret_sealed")
    .where("tenant_id", "=", CANARY_TENANT_ID)
    .where("id", "=", CANARY_SUBSCRIPTION_ID)
    .executeTakeFirstOrThrow();
  return openSecret(secret_sealed, sealing, CANARY_TENANT_ID, CANARY_SUBSCRIPTION_ID);
}

/** Its open deliveries are cancelled. Their log stays as long as that of any tenant. */
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
