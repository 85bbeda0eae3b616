// Opens and closes notices, in the transaction of the change that causes this, and reads them (interface §17). The same
// transaction queues their messages to the tenant's destination.
import { type PageQuery, type Quota, quotas } from "@tradepost/http";
import { newestFirst, type Tenant } from "@tradepost/postgres";
import { newId } from "@tradepost/runtime";
import { CompiledQuery, type Kysely, type RawBuilder, sql } from "kysely";
import type { Tables } from "../tables.ts";
import { type Facts, type Notice, type NoticeKind, shownNotice, whatHappensNext } from "./notice.ts";

/** A pg client in a transaction. */
export interface Client {
  query<Row extends object>(text: string, values: unknown[]): Promise<{ rows: Row[] }>;
}

export interface NewNotice {
  readonly tenantId: string;
  /** Null for a notice about the whole tenant. */
  readonly subscriptionId: string | null;
  readonly kind: NoticeKind;
  /** The quota, for a notice about one. */
  readonly about?: Quota;
  readonly facts: Facts;
}

/** A notice that was just opened, with its tenant. */
export type OpenedNotice = Notice & { readonly tenantId: string };

const COLUMNS = `tenant_id as "tenantId", id, kind, subscription_id as "subscriptionId", subject, created_at as "openedAt",
  closed_at as "closedAt", acknowledged_at as "acknowledgedAt", acknowledged_by as "acknowledgedBy", facts`;

/** How many waiting deliveries (neither ended, paused nor being sent) are counted at most. */
const WAITING_COUNTED_MAX = 1_000_000;

/** When a notice opens, fewer are counted, so that the transaction that settles an attempt does not read for long. */
const WAITING_AT_OPENING_MAX = 1_000;

/**
 * Returns SQL for the number of deliveries of a subscription that wait. Paused ones count where the condition `countsPaused` is true.
 * It has the order of an index, so it stops at `max`.
 */
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

/** Opens notices and returns those that were opened. An episode that already has a notice gets no second one. */
export async function openNotices(client: Client, notices: readonly NewNotice[]): Promise<OpenedNotice[]> {
  if (notices.length === 0) return [];
  const { rows } = await client.query<OpenedNotice>(OPEN, valuesOf(notices));
  await queueMessages(client, "opened", rows);
  return rows;
}

/** Closes the open notices of these kinds, and stores their last facts. */
export async function closeNotices(client: Client, notices: readonly NewNotice[]): Promise<OpenedNotice[]> {
  if (notices.length === 0) return [];
  const { rows } = await client.query<OpenedNotice>(CLOSE, valuesOf(notices));
  await queueMessages(client, "closed", rows);
  return rows;
}

/** Opens one notice in a transaction of the tenant. */
export async function openNotice(tx: Tenant<Tables>, notice: Omit<NewNotice, "tenantId">): Promise<void> {
  await openNotices(clientOf(tx.db), [{ tenantId: tx.tenantId, ...notice }]);
}

/** A quota that a tenant has nearly used up. */
export interface NearQuota {
  readonly quota: Quota;
  readonly used: number;
  readonly max: number;
}

/** Opens a notice about each of these quotas that has none, and closes the notices about the others. */
export async function setNearQuotas(tx: Tenant<Tables>, near: readonly NearQuota[]): Promise<void> {
  const of = (about: Quota, facts: Facts) =>
    ({ tenantId: tx.tenantId, subscriptionId: null, kind: "quota_near", about, facts }) as const;
  const client = clientOf(tx.db);
  await openNotices(
    client,
    near.map(({ quota, ...facts }) => of(quota, { quota, ...facts })),
  );
  const others = quotas.filter((quota) => near.every((one) => one.quota !== quota));
  await closeNotices(
    client,
    others.map((quota) => of(quota, {})),
  );
}

/** Closes all notices of a subscription that is deleted. */
export async function closeNoticesOf(tx: Tenant<Tables>, subscriptionId: string): Promise<void> {
  await closeWhere(tx, sql`subscription_id = ${subscriptionId}`);
}

/** Closes the subscription's notice of the kind, if it is open. */
export async function closeNotice(
  tx: Tenant<Tables>,
  subscriptionId: string,
  kind: NoticeKind,
): Promise<void> {
  await closeWhere(tx, sql`subscription_id = ${subscriptionId} and kind = ${kind}`);
}

async function closeWhere({ db, tenantId }: Tenant<Tables>, condition: RawBuilder<unknown>): Promise<void> {
  const { rows } = await sql<OpenedNotice>`
    update notices set closed_at = now()
     where tenant_id = ${tenantId} and closed_at is null and ${condition}
    returning ${sql.raw(COLUMNS)}`.execute(db);
  await queueMessages(clientOf(db), "closed", rows);
}

/** The connection of a transaction, for statements with numbered parameters. */
function clientOf(db: Kysely<Tables>): Client {
  return {
    query: async (text, values) => {
      const { rows } = await db.executeQuery(CompiledQuery.raw(text, values));
      return { rows: rows as never };
    },
  };
}

/** Records deliveries that have failed for good: opens a notice for each subscription, or counts them in its open notice. */
export async function noteFailedDeliveries(
  client: Client,
  failed: readonly { tenantId: string; subscriptionId: string; deliveryId: string }[],
): Promise<OpenedNotice[]> {
  if (failed.length === 0) return [];
  const bySubscription = [...Map.groupBy(failed, ({ subscriptionId }) => subscriptionId).values()].sort(
    ([one], [other]) => ((one?.subscriptionId ?? "") < (other?.subscriptionId ?? "") ? -1 : 1),
  );
  const { rows } = await client.query<OpenedNotice & { isNew: boolean }>(
    COUNT_FAILED,
    valuesOf(
      bySubscription.map((deliveries) => {
        const [first] = deliveries as [(typeof deliveries)[0]];
        return {
          tenantId: first.tenantId,
          subscriptionId: first.subscriptionId,
          kind: "delivery_failed" as const,
          facts: {
            count: deliveries.length,
            firstDeliveryId: first.deliveryId,
            lastDeliveryId: deliveries.at(-1)?.deliveryId ?? null,
          },
        };
      }),
    ),
  );
  const opened = rows.filter(({ isNew }) => isNew);
  await queueMessages(client, "opened", opened);
  return opened;
}

function valuesOf(notices: readonly NewNotice[]): unknown[] {
  return [
    notices.map(({ tenantId }) => tenantId),
    notices.map(() => newId()),
    notices.map(({ kind }) => kind),
    notices.map(({ subscriptionId }) => subscriptionId),
    notices.map(({ facts }) => JSON.stringify(facts)),
    notices.map(({ about }) => about ?? ""),
    notices.map(({ about }) => (about === undefined ? "All deliveries" : SUBJECTS[about])),
  ];
}

const SUBJECTS: Readonly<Record<Quota, string>> = { mediaBytes: "Media", eventBytes: "Events" };

const CHANGE = `
  change as (
    select * from unnest($1::uuid[], $2::uuid[], $3::text[], $4::uuid[], $5::jsonb[], $6::text[], $7::text[])
        as change (tenant_id, id, kind, subscription_id, facts, about, subject)
  )`;

// Shows neither the path nor the query of a URL, because they may contain a credential.
const SUBJECT = `coalesce(name || coalesce(' (' || substring(url from '^https://([^/?]+)') || ')', ''), change.subject)`;

// The deliveries of an expired listener are paused soon after its notice opens.
const WAITING_AT_OPENING = waitingOf("change.tenant_id", "change.subscription_id", {
  max: WAITING_AT_OPENING_MAX,
  countsPaused: "change.kind = 'listener_expired'",
});

const INSERT = `
  insert into notices as notice (tenant_id, id, kind, subscription_id, about, subject, facts)
  select change.tenant_id, change.id, change.kind, change.subscription_id, change.about, ${SUBJECT},
         change.facts || case when change.kind in ('endpoint_failing', 'endpoint_down', 'listener_expired')
           then jsonb_build_object('waiting', ${WAITING_AT_OPENING}) else '{}' end
    from change
    left join subscriptions on subscriptions.tenant_id = change.tenant_id and subscriptions.id = change.subscription_id
   where change.subscription_id is null or subscriptions.id is not null
      on conflict (tenant_id, subscription_id, kind, about) where closed_at is null`;

const OPEN = `with ${CHANGE} ${INSERT} do nothing returning ${COLUMNS}`;

const COUNT_FAILED = `
  with ${CHANGE} ${INSERT} do update
     set facts = notice.facts || excluded.facts
              || jsonb_build_object('count', (notice.facts -> 'count')::integer + (excluded.facts -> 'count')::integer,
                                    'firstDeliveryId', notice.facts -> 'firstDeliveryId'),
         seen_at = now()
  returning ${COLUMNS}, xmax = 0 as "isNew"`;

const CLOSE = `
  with ${CHANGE}
  update notices
     set closed_at = now(), facts = notices.facts || change.facts
    from change
   where notices.tenant_id = change.tenant_id and notices.kind = change.kind and closed_at is null
     and notices.subscription_id is not distinct from change.subscription_id and notices.about = change.about
  returning ${COLUMNS.replaceAll(/(^|, )(tenant_id|id|kind|subscription_id|subject|facts)\b/g, "$1notices.$2")}`;

async function queueMessages(
  client: Client,
  change: "opened" | "closed",
  notices: readonly OpenedNotice[],
): Promise<void> {
  if (notices.length === 0) return;
  await client.query(QUEUE_MESSAGES, [
    notices.map(({ tenantId }) => tenantId),
    notices.map(() => newId()),
    notices.map(() => newId()),
    notices.map(({ id }) => id),
    notices.map(({ kind }) => kind),
    notices.map((notice) => JSON.stringify(shownNotice(notice))),
    change,
  ]);
}

// Only opened notices are mailed.
const QUEUE_MESSAGES = `
  with changed as (
    select * from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::uuid[], $5::text[], $6::json[])
        as changed (tenant_id, webhook_id, mail_id, notice_id, kind, notice)
  ), wanted as (
    select changed.*, url, emails
      from changed join notice_destinations destination on destination.tenant_id = changed.tenant_id
     where kinds is null or changed.kind = any(kinds)
  )
  insert into notice_messages (tenant_id, id, notice_id, change, channel, notice)
  select tenant_id, webhook_id, notice_id, $7, 'webhook', notice from wanted where url is not null
   union all
  select tenant_id, mail_id, notice_id, $7, 'mail', notice from wanted where cardinality(emails) > 0 and $7 = 'opened'`;

export interface NoticesQuery extends PageQuery {
  readonly open?: boolean | undefined;
  readonly kind?: NoticeKind | undefined;
  readonly subscriptionId?: string | undefined;
}

const WAITING_NOW = waitingOf("notice.tenant_id", "notice.subscription_id", {
  countsPaused: "notice.kind = 'listener_expired'",
});

/** SQL for the facts of an open notice, including those that change while it is open. */
const CURRENT_FACTS = sql<Facts>`
  notice.facts || case when closed_at is not null or subscription.id is null then '{}' else
    case when kind in ('endpoint_failing', 'endpoint_down') then jsonb_build_object(
      'failures', consecutive_failures,
      'lastOutcome', split_part(last_error, ' ', 1),
      'lastStatusCode', nullif(split_part(last_error, ' ', 2), '')::integer) else '{}' end
    || case when kind in ('endpoint_failing', 'endpoint_down', 'listener_expired') then jsonb_build_object(
      'waiting', ${sql.raw(WAITING_NOW)}) else '{}' end
  end`;

/** Reads the notices of a query over `notices`, with their current facts. */
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

/** Returns notices, the latest opened first; one more than the limit if there is a next page. */
export async function listNotices(tenant: Tenant<Tables>, query: NoticesQuery) {
  const { open, kind, subscriptionId } = query;
  let notices = tenant.db.selectFrom("notices").selectAll().where("tenant_id", "=", tenant.tenantId);
  if (open !== undefined) notices = notices.where("closed_at", open ? "is" : "is not", null);
  if (kind !== undefined) notices = notices.where("kind", "=", kind);
  if (subscriptionId !== undefined) notices = notices.where("subscription_id", "=", subscriptionId);
  const { rows } = await shown(tenant.db, sql`${newestFirst(notices, query)}`);
  return rows;
}

/** Selects notices of all tenants; an empty filter selects all of them. */
export interface NoticeFilter {
  readonly tenant?: string | undefined;
  readonly subscription?: string | undefined;
  readonly kind?: NoticeKind | undefined;
  readonly open?: boolean | undefined;
}

/** Returns notices with their tenants for an operator, the latest opened first, at most `max`. */
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

/** Returns for the launcher the latest notices since `since`, at most `max`. Cheap, because it counts no waiting deliveries. */
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

/** Acknowledges an open notice and stores the first user who does so. Returns null if the tenant has no such notice. */
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
