// Opens and closes notices, in the transaction of the change that causes this, and reads them (interface §17). The same
// transaction queues their messages to the tenant's destination.
import type { PageQuery } from "@tradepost/http";
import { type Quota, quotas } from "@tradepost/messaging";
import { newestFirst, type RowColumns, rowsAs, type Tenant, toStatement } from "@tradepost/postgres";
import { newId } from "@tradepost/runtime";
import { type Kysely, type RawBuilder, sql } from "kysely";
import type { PoolClient } from "pg";
import type { Tables } from "../tables.ts";
import { type Facts, type Notice, type NoticeKind, shownNotice, whatHappensNext } from "./notice.ts";

type Transaction = PoolClient | Kysely<Tables>;

export interface NewNotice {
  readonly tenantId: string;
  /** Null for a notice about the whole tenant. */
  readonly subscriptionId: string | null;
  readonly kind: NoticeKind;
  /** For a notice about a quota. */
  readonly about?: Quota;
  readonly facts: Facts;
}

export type OpenedNotice = Notice & { readonly tenantId: string };

const WAITING_COUNTED_MAX = 1_000_000;

/** When a notice opens, fewer are counted, so that the transaction that settles an attempt does not read for long. */
const WAITING_AT_OPENING_MAX = 1_000;

/** SQL for the number of deliveries of a subscription that wait. It has the order of an index, so it stops at `max`. */
export function waitingOf(
  tenantId: string,
  subscriptionId: string,
  { max = WAITING_COUNTED_MAX, countsPaused = "false" } = {},
): string {
  return `(select count(*)::integer from (
     select from deliveries
      where deliveries.tenant_id = ${tenantId} and deliveries.subscription_id = ${subscriptionId}
        and (status in ('pending', 'retrying') or status = 'paused' and ${countsPaused})
        and (locked_until is null or locked_until < now())
      order by created_at desc, id desc
      limit ${max}) as waiting)`;
}

/** An episode that already has a notice gets no second one. */
export async function openNotices(tx: Transaction, notices: readonly NewNotice[]): Promise<OpenedNotice[]> {
  if (notices.length === 0) return [];
  const opened = await rowsOf<OpenedNotice>(
    tx,
    sql`${inserted(notices)} do nothing returning ${columnsOf("notice")}`,
  );
  await queueMessages(tx, "opened", opened);
  return opened;
}

/** Closes the open notices of these kinds, and stores their last facts. */
export async function closeNotices(tx: Transaction, notices: readonly NewNotice[]): Promise<OpenedNotice[]> {
  if (notices.length === 0) return [];
  const closed = await rowsOf<OpenedNotice>(
    tx,
    sql`
      with change as (select * from ${rowsAs("change", changeColumns, notices)})
      update notices
         set closed_at = now(), facts = notices.facts || change.facts
        from change
       where notices.tenant_id = change.tenant_id and notices.kind = change.kind and closed_at is null
         and notices.subscription_id is not distinct from change.subscription_id and notices.about = change.about
      returning ${columnsOf("notices")}`,
  );
  await queueMessages(tx, "closed", closed);
  return closed;
}

export async function openNotice(tx: Tenant<Tables>, notice: Omit<NewNotice, "tenantId">): Promise<void> {
  await openNotices(tx.db, [{ tenantId: tx.tenantId, ...notice }]);
}

export interface NearQuota {
  readonly quota: Quota;
  readonly used: number;
  readonly max: number;
}

/** Closes the notices about other quotas. */
export async function setNearQuotas(tx: Tenant<Tables>, near: readonly NearQuota[]): Promise<void> {
  const of = (about: Quota, facts: Facts) =>
    ({ tenantId: tx.tenantId, subscriptionId: null, kind: "quota_near", about, facts }) as const;
  await openNotices(
    tx.db,
    near.map(({ quota, ...facts }) => of(quota, { quota, ...facts })),
  );
  const others = quotas.filter((quota) => near.every((one) => one.quota !== quota));
  await closeNotices(
    tx.db,
    others.map((quota) => of(quota, {})),
  );
}

/** Of one kind, or all of them when the subscription is deleted. */
export async function closeNoticesOf(
  { db, tenantId }: Tenant<Tables>,
  subscriptionId: string,
  kind?: NoticeKind,
): Promise<void> {
  const { rows } = await sql<OpenedNotice>`
    update notices set closed_at = now()
     where tenant_id = ${tenantId} and closed_at is null and subscription_id = ${subscriptionId}
           ${kind === undefined ? sql`` : sql`and kind = ${kind}`}
    returning ${columnsOf("notices")}`.execute(db);
  await queueMessages(db, "closed", rows);
}

/** Opens a notice for each subscription, or counts the deliveries in its open notice. */
export async function noteFailedDeliveries(
  tx: Transaction,
  failed: readonly { tenantId: string; subscriptionId: string; deliveryId: string }[],
): Promise<OpenedNotice[]> {
  if (failed.length === 0) return [];
  const bySubscription = [...Map.groupBy(failed, ({ subscriptionId }) => subscriptionId)].sort(
    ([one], [other]) => (one < other ? -1 : 1),
  );
  const notices = bySubscription.map(([subscriptionId, deliveries]): NewNotice => {
    const [first, last] = [deliveries[0], deliveries.at(-1)];
    return {
      tenantId: first?.tenantId ?? "",
      subscriptionId,
      kind: "delivery_failed",
      facts: {
        count: deliveries.length,
        firstDeliveryId: first?.deliveryId ?? null,
        lastDeliveryId: last?.deliveryId ?? null,
      },
    };
  });
  const noted = await rowsOf<OpenedNotice & { isNew: boolean }>(
    tx,
    sql`
      ${inserted(notices)} do update
         set facts = notice.facts || excluded.facts
                  || jsonb_build_object('count', (notice.facts -> 'count')::integer + (excluded.facts -> 'count')::integer,
                                        'firstDeliveryId', notice.facts -> 'firstDeliveryId'),
             seen_at = now()
      returning ${columnsOf("notice")}, xmax = 0 as "isNew"`,
  );
  const opened = noted.filter(({ isNew }) => isNew);
  await queueMessages(tx, "opened", opened);
  return opened;
}

async function rowsOf<Row extends object>(tx: Transaction, statement: RawBuilder<unknown>): Promise<Row[]> {
  if ("release" in tx) return (await tx.query<Row>(toStatement(statement))).rows;
  return (await statement.execute(tx)).rows as Row[];
}

const columnsOf = (table: "notice" | "notices") => {
  const of = (column: string) => sql.ref(`${table}.${column}`);
  return sql`${of("tenant_id")} as "tenantId", ${of("id")}, ${of("kind")}, ${of("subscription_id")} as "subscriptionId",
    ${of("subject")}, ${of("created_at")} as "openedAt", ${of("closed_at")} as "closedAt",
    ${of("acknowledged_at")} as "acknowledgedAt", ${of("acknowledged_by")} as "acknowledgedBy", ${of("facts")}`;
};

const SUBJECTS: Readonly<Record<Quota, string>> = { mediaBytes: "Media", eventBytes: "Events" };

const changeColumns: RowColumns<NewNotice> = {
  tenant_id: ["uuid", ({ tenantId }) => tenantId],
  id: ["uuid", () => newId()],
  kind: ["text", ({ kind }) => kind],
  subscription_id: ["uuid", ({ subscriptionId }) => subscriptionId],
  facts: ["jsonb", ({ facts }) => JSON.stringify(facts)],
  about: ["text", ({ about }) => about ?? ""],
  subject: ["text", ({ about }) => (about === undefined ? "All deliveries" : SUBJECTS[about])],
};

// Shows neither the path nor the query of a URL, because they may contain a credential.
const SUBJECT = `coalesce(name || coalesce(' (' || substring(url from '^https://([^/?]+)') || ')', ''), change.subject)`;

// The deliveries of an expired listener are paused soon after its notice opens.
const WAITING_AT_OPENING = waitingOf("change.tenant_id", "change.subscription_id", {
  max: WAITING_AT_OPENING_MAX,
  countsPaused: "change.kind = 'listener_expired'",
});

const inserted = (notices: readonly NewNotice[]) => sql`
  with change as (select * from ${rowsAs("change", changeColumns, notices)})
  insert into notices as notice (tenant_id, id, kind, subscription_id, about, subject, facts)
  select change.tenant_id, change.id, change.kind, change.subscription_id, change.about, ${sql.raw(SUBJECT)},
         change.facts || case when change.kind in ('endpoint_failing', 'endpoint_down', 'listener_expired')
           then jsonb_build_object('waiting', ${sql.raw(WAITING_AT_OPENING)}) else '{}' end
    from change
    left join subscriptions on subscriptions.tenant_id = change.tenant_id and subscriptions.id = change.subscription_id
   where change.subscription_id is null or subscriptions.id is not null
      on conflict (tenant_id, subscription_id, kind, about) where closed_at is null`;

const messageColumns: RowColumns<OpenedNotice> = {
  tenant_id: ["uuid", ({ tenantId }) => tenantId],
  webhook_id: ["uuid", () => newId()],
  mail_id: ["uuid", () => newId()],
  notice_id: ["uuid", ({ id }) => id],
  kind: ["text", ({ kind }) => kind],
  notice: ["json", (notice) => JSON.stringify(shownNotice(notice))],
};

/** Queues the notices for their tenants' destinations. Only opened notices are mailed. */
async function queueMessages(
  tx: Transaction,
  change: "opened" | "closed",
  notices: readonly OpenedNotice[],
): Promise<void> {
  if (notices.length === 0) return;
  await rowsOf(
    tx,
    sql`
      with wanted as (
        select changed.*, url, emails
          from ${rowsAs("changed", messageColumns, notices)}
          join notice_destinations destination on destination.tenant_id = changed.tenant_id
         where kinds is null or changed.kind = any(kinds)
      )
      insert into notice_messages (tenant_id, id, notice_id, change, channel, notice)
      select tenant_id, webhook_id, notice_id, ${change}, 'webhook', notice from wanted where url is not null
       union all
      select tenant_id, mail_id, notice_id, ${change}, 'mail', notice from wanted
       where cardinality(emails) > 0 and ${change} = 'opened'`,
  );
}

export interface NoticesQuery extends PageQuery {
  readonly open?: boolean | undefined;
  readonly kind?: NoticeKind | undefined;
  readonly subscriptionId?: string | undefined;
}

const WAITING_NOW = waitingOf("notice.tenant_id", "notice.subscription_id", {
  countsPaused: "notice.kind = 'listener_expired'",
});

/** Includes facts that change while the notice is open. */
const CURRENT_FACTS = sql<Facts>`
  notice.facts || case when closed_at is not null or subscription.id is null then '{}' else
    case when kind in ('endpoint_failing', 'endpoint_down') then jsonb_build_object(
      'failures', consecutive_failures,
      'lastOutcome', split_part(last_error, ' ', 1),
      'lastStatusCode', nullif(split_part(last_error, ' ', 2), '')::integer) else '{}' end
    || case when kind in ('endpoint_failing', 'endpoint_down', 'listener_expired') then jsonb_build_object(
      'waiting', ${sql.raw(WAITING_NOW)}) else '{}' end
  end`;

function shown(db: Kysely<Tables>, found: RawBuilder<unknown>) {
  return sql<Notice & { readonly tenantId: string; readonly createdAt: Date }>`
    select notice.tenant_id as "tenantId", notice.id, kind, subscription_id as "subscriptionId", subject, notice.created_at as "createdAt",
           notice.created_at as "openedAt", closed_at as "closedAt", acknowledged_at as "acknowledgedAt",
           acknowledged_by as "acknowledgedBy", ${CURRENT_FACTS} as facts
      from (${found}) notice
      left join subscriptions subscription
        on subscription.tenant_id = notice.tenant_id and subscription.id = notice.subscription_id
     order by notice.created_at desc, notice.id desc`.execute(db);
}

export async function listNotices(tenant: Tenant<Tables>, query: NoticesQuery) {
  const { open, kind, subscriptionId } = query;
  let notices = tenant.db.selectFrom("notices").selectAll().where("tenant_id", "=", tenant.tenantId);
  if (open !== undefined) notices = notices.where("closed_at", open ? "is" : "is not", null);
  if (kind !== undefined) notices = notices.where("kind", "=", kind);
  if (subscriptionId !== undefined) notices = notices.where("subscription_id", "=", subscriptionId);
  const { rows } = await shown(tenant.db, sql`${newestFirst(notices, query)}`);
  return rows;
}

/** An empty filter selects the notices of all tenants. */
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

/** For the launcher. Cheap, because it counts no waiting deliveries. */
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

/** Stores the first user who does so. */
export async function acknowledgeNotice(
  tx: Tenant<Tables>,
  id: string,
  actor: object,
): Promise<Notice | null> {
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
