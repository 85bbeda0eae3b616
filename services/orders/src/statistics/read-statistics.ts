// The figures of a tenant's orders: the totals of each quarter of an hour and channel, the differences not yet added to them, and
// the newest orders in the tenant's counter. Where the range begins or ends within a quarter, the orders of that quarter are read.
import { VerbatimJson } from "@tradepost/json";
import { type RawBuilder, sql } from "kysely";
import type { Tenant } from "../tables.ts";
import type { Range } from "./statistics-input.ts";

/** Returns the buckets of each currency in the range, in alphabetical order (interface §19). */
export async function readStatistics(tenant: Tenant, range: Range) {
  const { starts, channel: _, ...shown } = range;
  const [buckets, open] = await Promise.all([readBuckets(tenant, range), readOpen(tenant, range)]);
  const byCurrency = Map.groupBy(buckets, ({ currency }) => currency);
  return {
    ...shown,
    currencies: [...byCurrency]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([currency, rows]) => ({
        currency,
        buckets: starts.map((at, index) =>
          bucketOf(
            at,
            rows.find(({ number }) => number === index + 1),
          ),
        ),
      })),
    open,
  };
}

interface BucketRow {
  readonly number: number;
  readonly currency: string;
  readonly orders: number;
  readonly total: string;
  readonly paid: string;
  readonly refunded: string;
}

/** JSON texts keep every digit. */
function bucketOf(at: Date, row: BucketRow | undefined) {
  const amount = (text = "0") => new VerbatimJson(text);
  return {
    at,
    orders: row?.orders ?? 0,
    total: amount(row?.total),
    paid: amount(row?.paid),
    refunded: amount(row?.refunded),
  };
}

async function readBuckets(tenant: Tenant, { from, to, starts, channel }: Range): Promise<BucketRow[]> {
  const first = Math.ceil(from.getTime() / QUARTER_MS) * QUARTER_MS;
  const last = Math.floor(to.getTime() / QUARTER_MS) * QUARTER_MS;
  // Of a range within one quarter, all orders are read.
  const [firstWhole, lastWhole] = first <= last ? [new Date(first), new Date(last)] : [to, to];
  const { tenantId, db } = tenant;
  const one = (time: RawBuilder<unknown>, start: Date, end: Date) => sql`
    select ${time}, currency, 1, payable(total, currency), paid_total, refunded_total from orders
     where tenant_id = ${tenantId} and status <> 'cancelled' and ${time} >= ${start} and ${time} < ${end}
       and ${ordersOf(channel)}`;
  const within = (start: Date, end: Date) => sql`
    ${one(sql`placed_at`, start, end)} union all ${one(sql`created_at`, start, end)} and placed_at is null`;
  const { rows } = await sql<BucketRow>`
    select width_bucket(at, ${starts}::timestamptz[]) as number, currency, sum(orders)::float8 as orders,
           trim_scale(sum(total))::text as total, trim_scale(sum(paid))::text as paid, trim_scale(sum(refunded))::text as refunded
      from (
        select at, currency, orders, total, paid, refunded from order_totals
         where tenant_id = ${tenantId} and at >= ${firstWhole} and at < ${lastWhole} and ${figuresOf(channel)}
        union all
        select at, currency, orders, total, paid, refunded from order_deltas
         where tenant_id = ${tenantId} and at >= ${firstWhole} and at < ${lastWhole} and ${figuresOf(channel)}
        union all ${within(from, firstWhole)}
        union all ${within(lastWhole, to)}
      ) counted
     group by number, currency
    having sum(orders) <> 0`.execute(db);
  return rows;
}

const QUARTER_MS = 15 * 60_000;

function ordersOf(channel: string | undefined) {
  return channel === undefined ? sql`true` : sql`channel = ${channel}`;
}

function figuresOf(channel: string | undefined) {
  return channel === undefined ? sql`true` : sql`at = figures_at(at, ${channel})`;
}

async function readOpen({ tenantId, db }: Tenant, { channel }: Range) {
  const { rows } = await sql<object>`
    select coalesce(sum(to_fulfill), 0)::float8 as "toFulfill", coalesce(sum(unpaid), 0)::float8 as unpaid,
           coalesce(sum(payment_failed), 0)::float8 as "paymentFailed", coalesce(sum(to_deliver), 0)::float8 as "toDeliver",
           (select count(*) from orders
             where tenant_id = ${tenantId} and ${ordersOf(channel)} and status = 'placed'
               and payment_status in ('paid', 'partially_refunded'))::float8 as "readyToShip"
      from (
        select to_fulfill, unpaid, payment_failed, to_deliver from order_totals
         where tenant_id = ${tenantId} and ${figuresOf(channel)}
        union all
        select to_fulfill, unpaid, payment_failed, to_deliver from order_deltas
         where tenant_id = ${tenantId} and ${figuresOf(channel)}
      ) counted`.execute(db);
  // Sums without groups are always one row.
  return rows[0];
}
