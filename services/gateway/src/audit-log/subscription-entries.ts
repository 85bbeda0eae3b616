// What the audit log says about the subscriptions of all tenants, for operators' commands.
import { type Kysely, sql } from "kysely";
import type { Tables } from "../tables.ts";

export interface SubscriptionEntry {
  readonly tenantId: string;
  readonly subscriptionId: string;
  readonly action: string;
  readonly at: Date;
}

const ABOUT_SUBSCRIPTIONS = sql`
  action in ('webhook_subscription.created', 'webhook_subscription.updated', 'webhook_subscription.deleted',
             'webhook_subscription.secret_rotated', 'webhook_listener.created', 'webhook_listener.deleted')`;
// Listeners are subscriptions too.
const ACTION = sql`replace(action, 'webhook_listener.', 'webhook_subscription.')`;

export async function readSubscriptionEntries(db: Kysely<Tables>, since: Date): Promise<SubscriptionEntry[]> {
  const { rows } = await sql<SubscriptionEntry>`
    select tenant_id as "tenantId", target_id as "subscriptionId", ${ACTION} as action, created_at as at
      from audit_log where ${ABOUT_SUBSCRIPTIONS} and created_at >= ${since}
     order by created_at, id`.execute(db);
  return rows;
}

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
