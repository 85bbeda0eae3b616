// Reads a page of a tenant's feed: the events in the outbox and the published ones, in the order of their transactions.
//
// Why no event is missed. An event carries the id of the transaction that wrote it. A page has only events of transactions
// below the oldest one that is still open (`pg_snapshot_xmin`). All of those have ended, so none of them can add an event
// later. The order of transaction ids is not the order of commits, but any later reader finds what was not complete yet
// behind its position. The relay moves an event from the outbox in one transaction, and one statement reads both tables.
//
// A position is always that of an event that was read, so its transaction is on disk. A higher one, such as the oldest open
// transaction, would be unsafe: Postgres may assign the ids of transactions again that were never written before a crash.
import type { QueryConfig, QueryResult, QueryResultRow } from "pg";
import type { FeedCursor, FeedPosition, ReadPage } from "./feed-cursor.ts";
import type { Restore } from "./is-lost.ts";

/** Runs statements for one tenant. */
export interface FeedReader {
  readonly tenantId: string;
  query<Row extends QueryResultRow>(config: QueryConfig): Promise<QueryResult<Row>>;
}

/** An event as it is stored; `actor` and `data` are JSON texts. */
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

// With a filter, one page examines at most this many events. A client that wants rare events gets empty pages with a cursor
// further on, instead of one request that reads everything.
const SCAN_MAX = 10_000;
// A page has at most this much data, and at least one event. Hundreds of readers may have one in memory at a time.
const PAGE_BYTES_MAX = 1024 * 1024;
/**
 * The database's clock may be set back by less than this without effect: the next events are published at an earlier time
 * than that of the reader's last visit. A transaction of the relay may take as long: its events carry a time from before its
 * commit. It costs a look into the index of one more partition.
 */
export const CLOCK_STEP_MS = 24 * 60 * 60 * 1_000;
// At most this many events behind the oldest open transaction are examined.
const REST_MAX = 1_000;

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

/**
 * Reads the first events after a cursor, at most `limit`, of those that match `only`: SQL, a condition on `type`. Returns null
 * if the cursor is ahead of the database, which then was restored from a backup.
 */
export async function readFeed(
  tenant: FeedReader,
  only: string,
  { after, types, limit }: { after: FeedCursor; types: readonly string[] | null; limit: number },
): Promise<FeedPage | null> {
  const scanMax = types === null ? limit + 1 : SCAN_MAX;
  const publishedSince = new Date(Math.max(0, after.since - CLOCK_STEP_MS));
  const { rows } = await tenant.query<SummaryRow & PageRow>({
    text: readPageOf(only),
    values: [tenant.tenantId, after.xid, after.id, types, limit, scanMax, publishedSince],
  });
  const [summary] = rows;
  if (summary === undefined) throw new Error("the page of a feed has no summary");
  if (summary.isAhead) return null;
  const events = rows.filter(({ eventId }) => eventId !== null);
  const last = events.at(-1);
  const isCut = events.length < summary.chosenCount;
  const end = isCut && last !== undefined ? positionOf(last, summary) : endOfScan(summary, after);
  const hasMore = isCut || summary.scannedCount >= scanMax;
  return {
    events,
    ...end,
    hasMore,
    restSince: summary.restSince === null ? null : Number(summary.restSince),
  };
}

type End = Pick<ReadPage, "position" | "positionBeganAt">;

function positionOf({ xid, id, occurredAt }: PageRow, { now }: SummaryRow): End {
  return { position: { xid, id }, positionBeganAt: Math.min(occurredAt.getTime(), Number(now)) };
}

function endOfScan({ lastXid, lastId, lastBeganAt }: SummaryRow, after: FeedPosition): End {
  if (lastXid === null || lastId === null) {
    return { position: { xid: after.xid, id: after.id }, positionBeganAt: null };
  }
  return { position: { xid: lastXid, id: lastId }, positionBeganAt: Number(lastBeganAt) };
}

/** The position of the tenant's newest event, or null. Events of open transactions come after it. */
export async function readEnd(tenant: FeedReader): Promise<FeedPosition | null> {
  const { rows } = await tenant.query<{ xid: string; id: string }>({
    text: READ_END,
    values: [tenant.tenantId],
  });
  return rows[0] ?? null;
}

/**
 * The start of the oldest day whose published events are kept, null if there are no days yet, and the time of the database,
 * whose clock decides when a day is dropped. Both in ms since the epoch.
 */
export async function readKeptDays(tenant: FeedReader): Promise<{ start: number | null; now: number }> {
  const { rows } = await tenant.query<{ day: string | null; now: string }>({ text: KEPT_DAYS });
  const day = rows[0]?.day ?? null;
  return { start: day === null ? null : Date.parse(`${day}T00:00:00Z`), now: Number(rows[0]?.now) };
}

const toMs = (time: string) => `floor(extract(epoch from ${time}) * 1000)::text`;

/** The restores of the database that have lost commits, oldest first. */
export async function readRestores(tenant: FeedReader): Promise<Restore[]> {
  const { rows } = await tenant.query<{ incarnation: string; xid: string; id: string }>({ text: RESTORES });
  return rows.map(({ incarnation, xid, id }) => ({ incarnation, last: { xid, id } }));
}

const RESTORES = `
  select incarnation, last_xid::text as xid, last_id::text as id
    from restores where restored_to is not null order by restores.id`;

// Of each table the keys of the next events, by its index. The data is read for the events of the page only; the row of
// a published event is found in one partition, by its primary key. The condition `only` needs a partial index of
// published_events, or is `true`: otherwise a reader reads the rows of other feeds, again and again, to find few of its own. The
// outbox has few rows, unless the broker is down for long.
//
// `rest` has the published events behind the oldest open transaction. Whatever else is behind it is still in the outbox, or
// not committed, so it is published after `now()`, which is earlier than the snapshot.
const keysOf = (table: string, publishedAt: string, condition: string) => `
  (select xid, id, type, size_bytes, occurred_at, ${publishedAt} as published_at
     from ${table}
    where tenant_id = $1 and (xid, id) > ($2::xid8, $3::bigint) and xid < pg_snapshot_xmin(pg_current_snapshot())
          ${condition}
    order by xid, id limit $6)`;

// Entries of the audit log are in the outbox too (`auditRow` of @tradepost/messaging), and in no feed.
const readPageOf = (only: string) => `
  with scanned as materialized (
    select * from (
      ${keysOf("published_events", "published_at", `and ${only} and published_at >= $7::timestamptz`)}
      union all
      ${keysOf("outbox", "null::timestamptz", `and ${only}`)}
    ) as keys
     order by xid, id limit $6
  ), chosen as materialized (
    select *, row_number() over by_position as position, sum(coalesce(size_bytes, 0)) over by_position as bytes
      from scanned where type not like 'audit.%' and ($4::text[] is null or type = any($4))
    window by_position as (order by xid, id rows unbounded preceding)
  ), rest as materialized (
    select published_at from published_events
     where tenant_id = $1 and xid >= pg_snapshot_xmin(pg_current_snapshot()) and published_at >= $7::timestamptz
     order by xid, id limit ${REST_MAX}
  ), summary as (
    select (select case when count(*) < ${REST_MAX} then ${toMs("least(min(published_at), now())")} end from rest) as "restSince",
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

const lastOf = (table: string) => `
  (select xid, id from ${table}
    where tenant_id = $1 and xid < pg_snapshot_xmin(pg_current_snapshot()) order by xid desc, id desc limit 1)`;

const READ_END = `
  select xid::text as xid, id::text as id
    from (${lastOf("published_events")} union all ${lastOf("outbox")}) as ends
   order by ends.xid desc, ends.id desc limit 1`;

const KEPT_DAYS = `
  select min(to_date(right(inhrelid::regclass::text, 8), 'YYYYMMDD'))::text as day, ${toMs("now()")} as now
    from pg_inherits
   where inhparent = 'published_events'::regclass and inhrelid::regclass::text ~ '_\\d{8}$'`;
