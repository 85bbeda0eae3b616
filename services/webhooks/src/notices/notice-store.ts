// Opens and closes notices and queues their messages, in the transaction of the change that causes this (interface §17).
import { type Quota, quotas } from "@tradepost/messaging";
import { type RowColumns, rowsAs } from "@tradepost/postgres";
import { newId } from "@tradepost/runtime";
import { sql } from "kysely";
import { waitingOf } from "../statement-parts.ts";
import type { Tenant } from "../tables.ts";
import type { Facts, NoticeKind } from "./notice.ts";
import { type OpenedNotice, queueMessages, rowsOf, type Transaction } from "./notice-messages.ts";

export type { OpenedNotice } from "./notice-messages.ts";

export interface NewNotice {
  readonly tenantId: string;
  readonly subscriptionId: string | null;
  readonly kind: NoticeKind;
  readonly about?: Quota;
  readonly facts: Facts;
}

/** Counting ends here when a notice opens, so that settling an attempt stays short. */
const WAITING_AT_OPENING_MAX = 1_000;

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

export async function openNotice(tx: Tenant, notice: Omit<NewNotice, "tenantId">): Promise<void> {
  await openNotices(tx.db, [{ tenantId: tx.tenantId, ...notice }]);
}

/** Closes the notices of quotas that are not near. */
export async function setNearQuotas(
  tx: Tenant,
  near: readonly { quota: Quota; used: number; max: number }[],
): Promise<void> {
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

/** Closes all kinds by default. */
export async function closeNoticesOf(
  { db, tenantId }: Tenant,
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

/** Opens a notice for each subscription, or adds to its open one. */
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

// Without the path and the query of a URL, which may contain a credential.
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
