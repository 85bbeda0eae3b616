// Finds and deletes subscriptions that a restore has brought back, for `ops restored` (interface §9).
import { tenantOf } from "@tradepost/postgres";
import { newId, newTraceparent } from "@tradepost/runtime";
import { type Kysely, sql } from "kysely";
import type { Tables } from "../tables.ts";
import type { SubscriptionId } from "./reconciliation-store.ts";
import { deleteSubscription } from "./subscription-changes.ts";

const OPERATOR = { type: "operator", id: "operator", name: "Operator" } as const;

export async function findSubscriptions(
  db: Kysely<Tables>,
  ids: readonly SubscriptionId[],
): Promise<SubscriptionId[]> {
  const { rows } = await sql<SubscriptionId>`
    select tenant_id as "tenantId", id as "subscriptionId" from subscriptions
     where (tenant_id, id) in (select * from unnest(${ids.map(({ tenantId }) => tenantId)}::uuid[],
                                                    ${ids.map(({ subscriptionId }) => subscriptionId)}::uuid[]))
     order by tenant_id, id`.execute(db);
  return rows;
}

export async function deleteAgain(
  tx: Kysely<Tables>,
  { tenantId, subscriptionId }: SubscriptionId,
): Promise<void> {
  const cause = {
    principal: { tenantId, actor: OPERATOR },
    requestId: newId(),
    traceparent: newTraceparent(),
  };
  await deleteSubscription(tenantOf(tx, tenantId), subscriptionId, { ifMatch: undefined, cause });
}

/** Lists listeners, too, as the audit log does. */
export async function listSubscriptionIds(db: Kysely<Tables>): Promise<SubscriptionId[]> {
  const { rows } = await sql<SubscriptionId>`
    select tenant_id as "tenantId", id as "subscriptionId" from subscriptions`.execute(db);
  return rows;
}
