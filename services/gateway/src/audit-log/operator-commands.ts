// Records each operator's command before it changes something; reads these records and the tenants' logs.
import { newId } from "@tradepost/runtime";
import { type Kysely, sql } from "kysely";
import type { Tables } from "../tables.ts";

export async function beginCommand(
  db: Kysely<Tables>,
  begun: { actor: string; command: string; arguments: string[] },
): Promise<string> {
  const id = newId();
  await db
    .insertInto("operator_commands")
    .values({ id, ...begun })
    .execute();
  return id;
}

export async function endCommand(db: Kysely<Tables>, id: string, exitStatus: number): Promise<void> {
  await db.updateTable("operator_commands").set({ exit_status: exitStatus }).where("id", "=", id).execute();
}

/** Replaces the tenant's id and slug by a digest, which identifies nobody. */
export async function forgetTenantInCommands(db: Kysely<Tables>, tenantId: string): Promise<void> {
  const digest = sql`'deleted:' || left(encode(sha256(uuid_send(${tenantId}::uuid)), 'hex'), 16)`;
  await sql`
    update operator_commands
       set arguments = array(
             select case when word = any(names) then ${digest} else word end
               from unnest(arguments) with ordinality as word (word, place) order by place)
      from (select array_append(array_agg(slug), ${tenantId}) as names from tenants where id = ${tenantId}) as tenant
     where arguments && names`.execute(db);
}

/** An action that begins with "ops " is an operator's command. */
interface AuditedChange {
  readonly at: Date;
  readonly tenantId: string | null;
  readonly actor: { readonly type: string; readonly id: string; readonly name: string };
  readonly action: string;
  readonly target: { readonly type: string; readonly id: string } | null;
  readonly changes: object;
}

export async function readAudit(
  db: Kysely<Tables>,
  filter: {
    since: Date;
    tenant?: { readonly id: string; readonly slug: string } | undefined;
    action?: string | undefined;
    limit: number;
  },
): Promise<AuditedChange[]> {
  const { since, tenant, action = null, limit } = filter;
  const id = tenant?.id ?? null;
  const { rows } = await sql<AuditedChange>`
    select at, "tenantId", actor, action, target, changes
      from ((select entry.created_at as at, entry.tenant_id as "tenantId",
                    json_build_object('type', actor_type, 'id', actor_id, 'name', actor_name) as actor,
                    action, json_build_object('type', target_type, 'id', target_id) as target, changes::json as changes
               from tenants
              cross join lateral (
                select * from audit_log
                 where audit_log.tenant_id = tenants.id and created_at >= ${since}
                   and (${action}::text is null or action = ${action})
                 order by created_at desc limit ${limit}) as entry
              where ${id}::uuid is null or tenants.id = ${id}::uuid)
             union all
            (select at, null, json_build_object('type', 'operator', 'id', actor, 'name', actor),
                    'ops ' || command, null, json_build_object('arguments', arguments, 'exitStatus', exit_status)
               from operator_commands
              where at >= ${since} and (${action}::text is null or 'ops ' || command = ${action})
                and (${id}::uuid is null or arguments && ${[tenant?.id ?? "", tenant?.slug ?? ""]}::text[])
              order by at desc limit ${limit})) as change
     order by at desc limit ${limit}`.execute(db);
  return rows.reverse();
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
