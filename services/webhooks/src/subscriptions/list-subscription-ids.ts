import { type Kysely, sql } from "kysely";
import type { Tables } from "../tables.ts";

/** The ids of all tenants' subscriptions, listeners included: the audit log has both. */
export async function listSubscriptionIds(
  db: Kysely<Tables>,
): Promise<{ tenantId: string; subscriptionId: string }[]> {
  const { rows } = await sql<{ tenantId: string; subscriptionId: string }>`
    select tenant_id as "tenantId", id as "subscriptionId" from subscriptions`.execute(db);
  return rows;
}
