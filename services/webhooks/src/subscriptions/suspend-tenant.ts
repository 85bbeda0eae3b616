// Suspends and resumes a tenant's deliveries for the operator (interface §9): they wait as if the subscriptions were paused.
// Paused subscriptions stay paused afterwards.
import { tenantOf } from "@tradepost/postgres";
import { type Kysely, sql } from "kysely";
import type { Tables, Tenant } from "../tables.ts";
import { requestReconciliation } from "./reconciliation-store.ts";
import { lockCreations } from "./subscription-store.ts";

/** After the commit no attempt starts; attempts in progress end. */
export async function suspendDeliveries(db: Kysely<Tables>, tenantId: string): Promise<void> {
  await tenantOf(db, tenantId).transaction(async (tx) => {
    await lockSubscriptions(tx);
    // If the tenant's deletion has reached this service, no row of it may remain.
    await sql`
      insert into suspended_tenants (tenant_id)
      select ${tenantId}
       where not exists (select from deleted_tenants where tenant_digest = sha256(uuid_send(${tenantId}::uuid)))
      on conflict do nothing`.execute(tx.db);
    await reconcile(
      tx,
      sql<{ id: string }>`
        update subscriptions set active = false, held = true
         where tenant_id = ${tenantId} and active
        returning id`,
    );
  });
}

/** Deliveries are sent oldest first, and paced. */
export async function resumeDeliveries(db: Kysely<Tables>, tenantId: string): Promise<void> {
  await tenantOf(db, tenantId).transaction(async (tx) => {
    await lockSubscriptions(tx);
    await sql`delete from suspended_tenants where tenant_id = ${tenantId}`.execute(tx.db);
    await reconcile(
      tx,
      sql<{ id: string }>`
        update subscriptions
           set held = false,
               active = not exists (select from listeners
                                     where listeners.tenant_id = subscriptions.tenant_id
                                       and subscription_id = subscriptions.id and has_expired)
         where tenant_id = ${tenantId} and held
        returning id`,
    );
  });
}

/** The first lock makes creations of subscriptions wait: either they see the suspension, or the suspension sees them. */
async function lockSubscriptions(tx: Tenant): Promise<void> {
  await lockCreations(tx);
  await tx.db
    .selectFrom("subscriptions")
    .select("id")
    .where("tenant_id", "=", tx.tenantId)
    .orderBy("id")
    .forUpdate()
    .execute();
}

async function reconcile(tx: Tenant, update: ReturnType<typeof sql<{ id: string }>>): Promise<void> {
  const { rows } = await update.execute(tx.db);
  for (const { id } of rows.toSorted((a, b) => (a.id < b.id ? -1 : 1))) await requestReconciliation(tx, id);
}
