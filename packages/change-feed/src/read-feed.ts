// Reads a page of a tenant's feed: events of the outbox and published events, ordered by transaction.
//
// Why no event is missed. Each event carries the id of the transaction that wrote it. A page contains only events of transactions
// below the oldest open one (`pg_snapshot_xmin`). All those transactions have ended, so none of them can add an event later.
// Events of newer transactions come after the reader's position, in whatever order the transactions commit. The relay moves an
// event in one transaction and one statement reads both tables, so an event that is being moved is seen once.
//
// A position is always the position of an event that was read, so its transaction is on disk. A higher position, such as the
// oldest open transaction, would be unsafe: after a crash Postgres may reuse the ids of transactions that wrote nothing to disk.
import type { Tenant } from "@tradepost/postgres";
import type { FeedCursor, FeedPosition, ReadPage, Restore } from "./feed-cursor.ts";

export interface Selection {
  readonly tenant: Tenant<unknown>;
  readonly typeCondition: string;
  readonly types: readonly string[] | null;
  readonly limit: number;
}

/** `actor` and `data` are JSON texts. */
export interface FeedEvent {
  readonly eventId: string;
  readonly type: string;
  readonly occurredAt: Date;
  readonly requestId: string;
  readonly actor: string;
  readonly data: string;
}

export interface FeedPage extends ReadPage {
  readonly events: readonly FeedEvent[];
}

// A client that wants rare events gets empty pages with advancing cursors.
const SCANNED_EVENTS_MAX = 10_000;
// Event data only. Hundreds of readers may each hold a page in memory.
const PAGE_BYTES_MAX = 1024 * 1024;
/** Reads start this long before the cursor's time: the clock may be set back, and events carry a time before their commit. */
export const CLOCK_STEP_MS_MAX = 24 * 60 * 60 * 1_000;
// Events of transactions from the oldest open one on.
const REST_EVENTS_MAX = 1_000;

interface PageRow extends FeedEvent {
  xid: string;
  id: string;
}

interface SummaryRow {
  restSince: string | null;
  isAhead: boolean;
  scannedCount: number;
  chosenCount: number;
  lastXid: string | null;
  lastId: string | null;
  lastBeganAt: string | null;
  now: string;
}

/** Reads the first events after a cursor. Returns null if the cursor is ahead of the database, which was restored from a backup. */
export async function readFeed(
  { tenant, typeCondition, types, limit }: Selection,
  after: FeedCursor,
): Promise<FeedPage | null> {
  const scanMax = types === null ? limit + 1 : SCANNED_EVENTS_MAX;
  const publishedSince = new Date(Math.max(0, after.since - CLOCK_STEP_MS_MAX));
  const { rows } = await tenant.query<SummaryRow & PageRow>({
    text: selectPage(typeCondition),
    values: [tenant.tenantId, after.xid, after.id, types, limit, scanMax, publishedSince],
  });
  const [summary] = rows;
  if (summary === undefined) throw new Error("the page of a feed has no summary");
  if (summary.isAhead) return null;
  const events = rows.filter(({ eventId }) => eventId !== null);
  const last = events.at(-1);
  const isTruncated = events.length < summary.chosenCount;
  const end = isTruncated && last !== undefined ? positionOf(last, summary) : endOfScan(summary, after);
  const hasMore = isTruncated || summary.scannedCount >= scanMax;
  return {
    events,
    ...end,
    hasMore,
    restSince: summary.restSince === null ? null : Number(summary.restSince),
  };
}

type ScanEnd = Pick<ReadPage, "position" | "positionBeganAt">;

function positionOf({ xid, id, occurredAt }: PageRow, { now }: SummaryRow): ScanEnd {
  return { position: { xid, id }, positionBeganAt: Math.min(occurredAt.getTime(), Number(now)) };
}

function endOfScan({ lastXid, lastId, lastBeganAt }: SummaryRow, after: FeedPosition): ScanEnd {
  if (lastXid === null || lastId === null) {
    return { position: { xid: after.xid, id: after.id }, positionBeganAt: null };
  }
  return { position: { xid: lastXid, id: lastId }, positionBeganAt: Number(lastBeganAt) };
}

/** Returns the end of the feed: events of open transactions come after it. */
export async function readEnd(tenant: Tenant<unknown>): Promise<FeedPosition | null> {
  const { rows } = await tenant.query<{ xid: string; id: string }>({
    text: READ_END,
    values: [tenant.tenantId],
  });
  return rows[0] ?? null;
}

/** Returns the start of the oldest day whose published events are kept and the database's time, in ms since the epoch. */
export async function readKeptDays(tenant: Tenant<unknown>): Promise<{ start: number | null; now: number }> {
  const { rows } = await tenant.query<{ day: string | null; now: string }>({ text: KEPT_DAYS });
  const day = rows[0]?.day ?? null;
  return { start: day === null ? null : Date.parse(`${day}T00:00:00Z`), now: Number(rows[0]?.now) };
}

const toMs = (time: string) => `floor(extract(epoch from ${time}) * 1000)::text`;

/** Returns the restores that lost commits, oldest first. */
export async function readRestores(tenant: Tenant<unknown>): Promise<Restore[]> {
  const { rows } = await tenant.query<{ incarnation: string; xid: string; id: string }>({ text: RESTORES });
  return rows.map(({ incarnation, xid, id }) => ({ incarnation, last: { xid, id } }));
}

const RESTORES = `
  select incarnation, last_xid::text as xid, last_id::text as id
    from restores where restored_to is not null order by restores.id`;

// Selects the keys of the next events of one table through its index. The data is read later, and only for the events of the
// page; a published event is then found in one partition by its primary key. Without a partial index for `typeCondition`, a
// reader would scan the rows of the other feeds again and again to find few of its own. The outbox needs no such index: it has
// few rows unless the broker is down for a long time.
//
// `rest` are the published events of transactions from the oldest open one on. Other events of these transactions are still in
// the outbox or not committed. They are published after `now()`, which is earlier than the snapshot.
const nextKeysIn = (table: string, publishedAt: string, condition: string) => `
  (select xid, id, type, size_bytes, occurred_at, ${publishedAt} as published_at
     from ${table}
    where tenant_id = $1 and (xid, id) > ($2::xid8, $3::bigint) and xid < pg_snapshot_xmin(pg_current_snapshot())
          ${condition}
    order by xid, id limit $6)`;

// The outbox also has entries of the audit log (`auditRow` of @tradepost/messaging), which no feed lists.
const selectPage = (typeCondition: string) => `
  with scanned as materialized (
    select * from (
      ${nextKeysIn("published_events", "published_at", `and ${typeCondition} and published_at >= $7::timestamptz`)}
      union all
      ${nextKeysIn("outbox", "null::timestamptz", `and ${typeCondition}`)}
    ) as keys
     order by xid, id limit $6
  ), chosen as materialized (
    select *, row_number() over by_position as position, sum(coalesce(size_bytes, 0)) over by_position as bytes
      from scanned where type not like 'audit.%' and ($4::text[] is null or type = any($4))
    window by_position as (order by xid, id rows unbounded preceding)
  ), rest as materialized (
    select published_at from published_events
     where tenant_id = $1 and xid >= pg_snapshot_xmin(pg_current_snapshot()) and published_at >= $7::timestamptz
     order by xid, id limit ${REST_EVENTS_MAX}
  ), summary as (
    select (select case when count(*) < ${REST_EVENTS_MAX} then ${toMs("least(min(published_at), now())")} end from rest) as "restSince",
           $2::xid8 >= pg_snapshot_xmax(snapshot) as "isAhead",
           (select count(*)::integer from scanned) as "scannedCount",
           (select count(*)::integer from chosen) as "chosenCount",
           last.xid::text as "lastXid", last.id::text as "lastId",
           ${toMs("least(last.occurred_at, now())")} as "lastBeganAt", ${toMs("now()")} as now
      from pg_current_snapshot() as snapshot
      left join (select * from scanned order by xid desc, id desc limit 1) as last on true
  )
  select summary.*, page.xid::text as xid, page.id::text as id, event.*
    from summary
    left join chosen as page on page.position <= $5 and (page.bytes <= ${PAGE_BYTES_MAX} or page.position = 1)
    left join lateral (
      select event_id as "eventId", type, occurred_at as "occurredAt", request_id as "requestId", actor::text as actor,
             data::text as data
        from published_events
       where published_events.published_at = page.published_at and published_events.id = page.id
      union all
      select event_id, type, occurred_at, request_id, actor::text, data::text
        from outbox where page.published_at is null and outbox.id = page.id
    ) as event on true
   order by page.position`;

const newestIn = (table: string) => `
  (select xid, id from ${table}
    where tenant_id = $1 and xid < pg_snapshot_xmin(pg_current_snapshot()) order by xid desc, id desc limit 1)`;

const READ_END = `
  select xid::text as xid, id::text as id
    from (${newestIn("published_events")} union all ${newestIn("outbox")}) as ends
   order by ends.xid desc, ends.id desc limit 1`;

const KEPT_DAYS = `
  select min(to_date(right(inhrelid::regclass::text, 8), 'YYYYMMDD'))::text as day, ${toMs("now()")} as now
    from pg_inherits
   where inhparent = 'published_events'::regclass and inhrelid::regclass::text ~ '_\\d{8}$'`;
