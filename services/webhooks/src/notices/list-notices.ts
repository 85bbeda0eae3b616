import type { PageQuery } from "@tradepost/http";
import { newestFirst } from "@tradepost/postgres";
import { type Kysely, type RawBuilder, sql } from "kysely";
import { NO_TYPES_OF_ORDERS, NOT_OF_ORDERS_TEXT, type Sight } from "../offered-types.ts";
import { waitingOf } from "../statement-parts.ts";
import type { Tables, Tenant } from "../tables.ts";
import { type Facts, type Notice, type NoticeKind, shownNotice, whatHappensNext } from "./notice.ts";

export interface NoticesQuery extends PageQuery {
  readonly open?: boolean | undefined;
  readonly kind?: NoticeKind | undefined;
  readonly subscriptionId?: string | undefined;
}

/** Includes facts that change while the notice is open. */
const currentFacts = ({ hidesOrders }: Sight) => sql<Facts>`
  notice.facts || case when closed_at is not null or subscription.id is null then '{}' else
    case when kind in ('endpoint_failing', 'endpoint_down') then jsonb_build_object(
      'failures', consecutive_failures,
      'lastOutcome', split_part(last_error, ' ', 1),
      'lastStatusCode', nullif(split_part(last_error, ' ', 2), '')::integer) else '{}' end
    || case when kind in ('endpoint_failing', 'endpoint_down', 'listener_expired') then jsonb_build_object(
      'waiting', ${sql.raw(
        waitingOf("notice.tenant_id", "notice.subscription_id", {
          countsPaused: "notice.kind = 'listener_expired'",
          ...(hidesOrders && { where: NOT_OF_ORDERS_TEXT }),
        }),
      )}) else '{}' end
  end`;

function shown(db: Kysely<Tables>, found: RawBuilder<unknown>, sight: Sight = {}) {
  return sql<Notice & { readonly tenantId: string; readonly createdAt: Date }>`
    select notice.tenant_id as "tenantId", notice.id, kind, subscription_id as "subscriptionId", subject, notice.created_at as "createdAt",
           notice.created_at as "openedAt", closed_at as "closedAt", acknowledged_at as "acknowledgedAt",
           acknowledged_by as "acknowledgedBy", ${currentFacts(sight)} as facts
      from (${found}) notice
      left join subscriptions subscription
        on subscription.tenant_id = notice.tenant_id and subscription.id = notice.subscription_id
     order by notice.created_at desc, notice.id desc`.execute(db);
}

/** Leaves out notices of failed deliveries to subscriptions with hidden types. */
export async function listNotices(tenant: Tenant, query: NoticesQuery, sight: Sight) {
  const { open, kind, subscriptionId } = query;
  let notices = tenant.db.selectFrom("notices").selectAll().where("tenant_id", "=", tenant.tenantId);
  if (open !== undefined) notices = notices.where("closed_at", open ? "is" : "is not", null);
  if (kind !== undefined) notices = notices.where("kind", "=", kind);
  if (subscriptionId !== undefined) notices = notices.where("subscription_id", "=", subscriptionId);
  if (sight.hidesOrders) notices = notices.where(IS_WITHOUT_ORDERS);
  const { rows } = await shown(tenant.db, sql`${newestFirst(notices, query)}`, sight);
  return rows;
}

const IS_WITHOUT_ORDERS = sql<boolean>`(kind <> 'delivery_failed' or not exists (
  select from subscriptions
   where subscriptions.tenant_id = notices.tenant_id and subscriptions.id = subscription_id and not ${NO_TYPES_OF_ORDERS}))`;

export interface NoticeFilter {
  readonly tenant?: string | undefined;
  readonly subscription?: string | undefined;
  readonly kind?: NoticeKind | undefined;
  readonly open?: boolean | undefined;
}

export async function findNotices(db: Kysely<Tables>, filter: NoticeFilter, max: number) {
  const { tenant, subscription, kind, open } = filter;
  let notices = db.selectFrom("notices").selectAll();
  if (tenant !== undefined) notices = notices.where("tenant_id", "=", tenant);
  if (subscription !== undefined) notices = notices.where("subscription_id", "=", subscription);
  if (kind !== undefined) notices = notices.where("kind", "=", kind);
  if (open === true) notices = notices.where("closed_at", "is", null);
  const latest = notices.orderBy("created_at", "desc").orderBy("id", "desc").limit(max);
  const { rows } = await shown(db, sql`${latest}`);
  return rows.map((notice) => ({ tenantId: notice.tenantId, ...shownNotice(notice) }));
}

/** Cheap, because it counts no waiting deliveries. */
export async function findOpenedSince(db: Kysely<Tables>, since: Date, max: number) {
  const { rows } = await sql<Pick<Notice, "id" | "kind" | "subject" | "openedAt">>`
    select id, kind, subject, created_at as "openedAt"
      from notices
     where created_at >= ${since}
     order by created_at desc, id desc
     limit ${max}`.execute(db);
  return rows.map((notice) => ({
    ...notice,
    whatHappensNext: whatHappensNext({ kind: notice.kind, closedAt: null }),
  }));
}

/** Stores only the first user who acknowledges it. */
export async function acknowledgeNotice(tx: Tenant, id: string, actor: object) {
  await tx.db
    .updateTable("notices")
    .set({ acknowledged_at: sql<Date>`now()`, acknowledged_by: JSON.stringify(actor) })
    .where("tenant_id", "=", tx.tenantId)
    .where("id", "=", id)
    .where("acknowledged_at", "is", null)
    .where("closed_at", "is", null)
    .execute();
  const { rows } = await shown(
    tx.db,
    sql`select * from notices where tenant_id = ${tx.tenantId} and id = ${id}`,
  );
  return rows[0] ?? null;
}
