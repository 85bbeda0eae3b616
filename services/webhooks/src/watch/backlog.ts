// Counts deliveries that wait to be sent, for `ops backlog`.
import { CANARY_TENANT_ID } from "@tradepost/event-catalog";
import { type Kysely, sql } from "kysely";
import { reasonOf } from "../delivery/delivery.ts";
import type { Tables } from "../tables.ts";

export interface Backlog {
  readonly tenantId: string;
  /** By endpoint only. */
  readonly subscriptionId?: string;
  /** Pending or retrying, with attempts in progress; not paused. */
  readonly waiting: number;
  readonly oldestSeconds: number;
  readonly failing: number;
  readonly oldestDeliveryId?: string | null;
  readonly lastOutcome?: string | null;
  /** Null for a listener, and after the subscription was deleted. */
  readonly host?: string | null;
}

export async function readBacklog(db: Kysely<Tables>, by: "tenant" | "endpoint"): Promise<Backlog[]> {
  return by === "tenant" ? await readByTenant(db) : await readByEndpoint(db);
}

const COUNTS = sql`
  count(*)::float as waiting, min(created_at) as oldest_at,
  round(greatest(0, extract(epoch from clock_timestamp() - min(created_at)))::numeric, 1)::float as "oldestSeconds",
  count(*) filter (where status = 'retrying')::float as failing
    from deliveries
   where status in ('pending', 'retrying') and tenant_id <> ${CANARY_TENANT_ID}`;

async function readByTenant(db: Kysely<Tables>): Promise<Backlog[]> {
  const { rows } = await sql<Backlog>`
    select tenant_id as "tenantId", waiting, "oldestSeconds", failing
      from (select tenant_id, ${COUNTS} group by tenant_id) as tenant
     order by oldest_at, tenant_id`.execute(db);
  return rows;
}

async function readByEndpoint(db: Kysely<Tables>): Promise<Backlog[]> {
  type Row = Omit<Backlog, "host" | "lastOutcome"> & { url: string | null; last: Last | null };
  type Last = Parameters<typeof reasonOf>[0];
  const { rows } = await sql<Row>`
    select endpoint.tenant_id as "tenantId", endpoint.subscription_id as "subscriptionId",
           waiting, "oldestSeconds", failing, oldest.id as "oldestDeliveryId", url,
           (select json_build_object('outcome', outcome, 'statusCode', status_code) from attempts
             where attempts.tenant_id = endpoint.tenant_id and delivery_id = oldest.id
             order by generation desc, attempt desc limit 1) as last
      from (select tenant_id, subscription_id, ${COUNTS} group by tenant_id, subscription_id) as endpoint
      left join subscriptions on subscriptions.tenant_id = endpoint.tenant_id and subscriptions.id = endpoint.subscription_id
      left join lateral (
        select id from deliveries
         where deliveries.tenant_id = endpoint.tenant_id and deliveries.subscription_id = endpoint.subscription_id
           and status in ('pending', 'retrying')
         order by created_at, id limit 1) as oldest on true
     order by oldest_at, endpoint.tenant_id, endpoint.subscription_id`.execute(db);
  return rows.map(({ url, last, ...row }) => ({
    ...row,
    host: url === null ? null : (URL.parse(url)?.host ?? null),
    lastOutcome: last === null ? null : reasonOf(last),
  }));
}
