// The operations on the gateway's data that the operators' command uses. They are not available over HTTP.
import { type Kysely, sql } from "kysely";
import type { Tables } from "./tables.ts";

export {
  type AuditedChange,
  auditEntryFault,
  beginCommand,
  endCommand,
  operatorNamed,
  readAudit,
} from "./audit-log/audit-log.ts";
export {
  type CreatedTenant,
  createTenant,
  deleteTenantRow,
  findOperatedTenant,
  listStaff,
  listTenants,
  type ModuleName,
  makeSetupLinkFor,
  markDeletion,
  moduleNames,
  type OperatedTenant,
  resetSecondFactorOf,
  resumeRequests,
  suspendRequests,
} from "./identity/identity.ts";
export type { Tables } from "./tables.ts";
export { type QuotaChange, type ShownQuotas, setQuotas, showQuotas } from "./usage/usage.ts";

/** The database does not know if it was revoked after the moment that was restored. */
export interface LiveKey {
  readonly tenantId: string;
  readonly id: string;
  readonly keyId: string;
  readonly label: string;
  readonly lastUsedAt: Date | null;
}

/**
 * Ends every session, sign-in and set-up link: one that ended or was used after the restored moment would be valid again. Returns
 * all valid keys, of which only the owners know whether they were revoked after it.
 */
export async function endAccess(
  tx: Kysely<Tables>,
): Promise<{ sessionsEnded: number; setupLinksEnded: number; keys: LiveKey[] }> {
  const sessions = await tx
    .updateTable("sessions")
    .set({ ended_at: sql<Date>`now()` })
    .where("ended_at", "is", null)
    .executeTakeFirst();
  const links = await tx.deleteFrom("setup_links").executeTakeFirst();
  await tx.deleteFrom("unfinished_sign_ins").execute();
  const keys = await tx
    .selectFrom("api_keys")
    .select(["tenant_id as tenantId", "id", "key_id as keyId", "label", "last_used_at as lastUsedAt"])
    .where("revoked_at", "is", null)
    .where((is) => is.or([is("expires_at", "is", null), is("expires_at", ">", sql<Date>`now()`)]))
    .orderBy("tenant_id")
    .orderBy("id")
    .execute();
  return {
    sessionsEnded: Number(sessions.numUpdatedRows),
    setupLinksEnded: Number(links.numDeletedRows),
    keys,
  };
}

export interface SubscriptionEntry {
  readonly tenantId: string;
  readonly subscriptionId: string;
  readonly action: string;
  readonly at: Date;
}

const ABOUT_SUBSCRIPTIONS = sql`
  action in ('webhook_subscription.created', 'webhook_subscription.updated', 'webhook_subscription.deleted',
             'webhook_subscription.secret_rotated', 'webhook_listener.created', 'webhook_listener.deleted')`;
// Listeners are subscriptions too, so their actions get the same names.
const ACTION = sql`replace(action, 'webhook_listener.', 'webhook_subscription.')`;

/** Oldest first. */
export async function readSubscriptionEntries(db: Kysely<Tables>, since: Date): Promise<SubscriptionEntry[]> {
  const { rows } = await sql<SubscriptionEntry>`
    select tenant_id as "tenantId", target_id as "subscriptionId", ${ACTION} as action, created_at as at
      from audit_log where ${ABOUT_SUBSCRIPTIONS} and created_at >= ${since}
     order by created_at, id`.execute(db);
  return rows;
}

/** The latest creation or deletion of each subscription that the log knows. */
export async function readSubscriptionFates(db: Kysely<Tables>): Promise<SubscriptionEntry[]> {
  const { rows } = await sql<SubscriptionEntry>`
    select distinct on (tenant_id, target_id)
           tenant_id as "tenantId", target_id as "subscriptionId", ${ACTION} as action, created_at as at
      from audit_log
     where action in ('webhook_subscription.created', 'webhook_subscription.deleted',
                      'webhook_listener.created', 'webhook_listener.deleted')
     order by tenant_id, target_id, created_at desc, id desc`.execute(db);
  return rows;
}
