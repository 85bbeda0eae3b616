// The ledger of a subscription: how a day's events were handled. It is counted from the events and deliveries themselves, so the
// sums always add up (interface §18).
import { subscribableType } from "@tradepost/event-catalog";
import { type ListPage, type PageQuery, searchedPage } from "@tradepost/http";
import { allOf, searchStatement } from "@tradepost/postgres";
import { type RawBuilder, sql } from "kysely";
import { z } from "zod";
import { ids } from "../delivery/delivery.ts";
import type { DeliveryStatus } from "../delivery-status.ts";
import { NOT_OF_ORDERS, type Sight } from "../offered-types.ts";
import type { Tenant } from "../tables.ts";

/** In UTC. */
export interface Period {
  readonly from: Date;
  /** Exclusive. */
  readonly to: Date;
}

const count = z.int().nonnegative();

export const typeCounts = z.strictObject({
  type: subscribableType,
  events: count.describe("`matched`, `filtered` and those of types that were not subscribed to."),
  matched: count.describe("The sum of the four states."),
  filtered: count.describe("Kept back by the filter."),
  delivered: count,
  failed: count,
  waiting: count.describe("Pending, retrying or paused."),
  cancelled: count,
});

type TypeCounts = Omit<z.output<typeof typeCounts>, "type"> & { readonly type: string };

// The clocks of the databases differ by less than this.
const CLOCKS_DIFFER = sql.raw("interval '1 hour'");

/**
 * The events of the period, each with its delivery. A test counts only for the subscription that it was sent to. Deliveries are
 * looked up, because `all_deliveries` would read every day's partition.
 */
function eventsOf(
  tenantId: string,
  subscriptionId: string,
  { from, to }: Period,
  { hidesOrders }: Sight,
): RawBuilder<unknown> {
  return sql`event as (
    select happened.*, delivery_id, status
      from (select id, type, occurred_at, filtered, is_test from events
             where tenant_id = ${tenantId} and occurred_at >= ${from} and occurred_at < ${to}
               and ${hidesOrders ? NOT_OF_ORDERS : sql`true`}) as happened
      ${joinDelivery(tenantId, subscriptionId)}
     where not is_test or delivery_id is not null
  )`;
}

/** Joins `delivery_id` and `status` of each event of `happened`. */
function joinDelivery(tenantId: string, subscriptionId: string): RawBuilder<unknown> {
  const isOfEvent = sql`tenant_id = ${tenantId} and event_id = happened.id and subscription_id = ${subscriptionId}`;
  return sql`
      left join lateral (
        (select id as delivery_id, status from deliveries where ${isOfEvent} limit 1)
        union all
        (select id, status from delivery_log
          where ${isOfEvent} and completed_at >= happened.occurred_at - ${CLOCKS_DIFFER} limit 1)
        limit 1) as delivery on true`;
}

const CLOSED = ["delivered", "failed", "cancelled"] as const satisfies DeliveryStatus[];

/** The sum of the SHA-256 of each id, as eight sums of 32 bits each. */
const DIGEST_WORDS = sql.raw(
  `array[${Array.from({ length: 8 }, (_, word) => `coalesce(sum(('x' || substr(hash, ${8 * word + 1}, 8))::bit(32)::bigint), 0)::text`)}]`,
);

export async function readLedger(
  tenant: Tenant,
  subscriptionId: string,
  period: Period,
  sight: Sight = {},
): Promise<{ types: TypeCounts[]; digest: string } | null> {
  if (!(await exists(tenant, subscriptionId))) return null;
  const { rows } = await sql<TypeCounts & { words: string[] }>`
    with ${eventsOf(tenant.tenantId, subscriptionId, period, sight)}, hashed as (
      select *, case when status = 'delivered' then encode(sha256(convert_to(delivery_id::text, 'UTF8')), 'hex') end as hash
        from event
    )
    select type, count(*)::integer as events, count(delivery_id)::integer as matched,
           count(*) filter (where delivery_id is null and filtered ? ${subscriptionId})::integer as filtered,
           ${sql.join(CLOSED.map((status) => sql`count(*) filter (where status = ${sql.lit(status)})::integer as ${sql.ref(status)}`))},
           count(*) filter (where status not in (${sql.join(CLOSED.map((status) => sql.lit(status)))}))::integer as waiting,
           ${DIGEST_WORDS} as words
      from hashed
     group by type
     order by type`.execute(tenant.db);
  return {
    types: rows.map(({ words: _, ...counts }) => counts),
    digest: digestOf(rows.map(({ words }) => words)),
  };
}

/** Whether the period is over and all its events have arrived. Check it before counting, so that no event is missed. */
export async function isOver(
  { db, tenantId }: Pick<Tenant, "db" | "tenantId">,
  { from, to }: Period,
): Promise<boolean> {
  const { rows } = await sql<{ isOver: boolean }>`
    select now() >= ${to}
           and not exists (select from tallies where compared_until < ${to} or unpublished_since < ${to})
           and not exists (select from tally_gaps where since < ${to} and until > ${from})
           -- By the time in its id: the event itself is not here, unless it has just arrived, or arrived very late.
           and not exists (select from missing_events where tenant_id = ${tenantId}
                             and event_id >= ${ids.firstIdAt(from)} and event_id < ${ids.firstIdAt(to)}
                             and (select true from events
                                   where tenant_id = ${tenantId} and events.id = event_id) is null) as "isOver"`.execute(
    db,
  );
  return rows[0]?.isOver ?? false;
}

async function exists({ db, tenantId }: Tenant, subscriptionId: string): Promise<boolean> {
  const found = await db
    .selectFrom("subscriptions")
    .select("id")
    .where("tenant_id", "=", tenantId)
    .where("id", "=", subscriptionId)
    .executeTakeFirst();
  return found !== undefined;
}

/** The sum modulo 2^256 in hexadecimal. Pure. */
function digestOf(sums: readonly (readonly string[])[]): string {
  let total = 0n;
  for (const words of sums)
    for (const [word, sum] of words.entries()) total += BigInt(sum) << BigInt(32 * (7 - word));
  return BigInt.asUintN(256, total).toString(16).padStart(64, "0");
}

interface DeliveredRow {
  readonly id: string;
  readonly type: string;
  readonly occurred_at: Date;
  readonly delivery_id: string | null;
}

/** Newest first. A page may be short and still have a `nextCursor`, if not all events were searched. */
export async function listDelivered(
  tenant: Tenant,
  subscriptionId: string,
  period: Period,
  query: PageQuery & Sight,
): Promise<ListPage | null> {
  if (!(await exists(tenant, subscriptionId))) return null;
  const { rows } = await deliveredStatement(tenant.tenantId, subscriptionId, period, query).execute(
    tenant.db,
  );
  const itemOf = (row: DeliveredRow) => ({ ...row, createdAt: row.occurred_at });
  return searchedPage(rows, query, itemOf, deliveredOf);
}

export function deliveredStatement(
  tenantId: string,
  subscriptionId: string,
  { from, to }: Period,
  { limit, cursor, hidesOrders }: PageQuery & Sight,
): RawBuilder<DeliveredRow & { readonly is_end: boolean }> {
  return searchStatement<DeliveredRow>({
    columns: sql`id, type, occurred_at, delivery_id, status`,
    from: sql`
      from (select id, type, occurred_at from events where ${allOf([
        sql`tenant_id = ${tenantId} and occurred_at >= ${from} and occurred_at < ${to}`,
        ...(hidesOrders ? [NOT_OF_ORDERS] : []),
        ...(cursor === null ? [] : [sql`(occurred_at, id) < (${cursor.createdAt}, ${cursor.id})`]),
      ])}) as happened ${joinDelivery(tenantId, subscriptionId)}`,
    order: sql`order by occurred_at desc, id desc`,
    conditions: [sql`status = 'delivered'`],
    limit,
  });
}

function deliveredOf({ id, type, occurred_at, delivery_id }: DeliveredRow) {
  return { id: delivery_id ?? "", eventId: id, type, occurredAt: occurred_at };
}
