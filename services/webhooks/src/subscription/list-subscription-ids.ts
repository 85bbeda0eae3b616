import { type Kysely, sql } from "kysely";
import type { Tables } from "../tables.ts";

/** The ids of all tenants' subscriptions, without listeners. */
export async function listSubscriptionIds(
  db: Kysely<Tables>,
): Promise<{ tenantId: string; subscriptionId: string }[]> {
  const { rows } = await sql<{ tenantId: string; subscriptionId: string }>`
    select tenant_id as "tenantId", id as "subscriptionId" from subscriptions where url is not null`.execute(
    db,
  );
  return rows;
}
