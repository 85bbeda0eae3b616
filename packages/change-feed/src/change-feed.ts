// The change feed of a service: the events that it emitted for a tenant, in an order in which a reader misses none (interface
// §10).
//
// Cast. `feed-query` parses the query and `feed-cursor` the reader's position. `read-feed` reads a page from the outbox and the
// published events. `watch-commits` wakes waiting requests. `event-json` writes the response.
import { ApiError, type ApiRequest, type ApiResponse, endOfWait } from "@tradepost/http";
import { connectTenants } from "@tradepost/postgres";
import type { Logger, Metrics } from "@tradepost/runtime";
import { feedJson } from "./event-json.ts";
import { cursorAfter, encodeFeedCursor, type FeedCursor } from "./feed-cursor.ts";
import type { FeedQuery } from "./feed-query.ts";
import { isLost, type Restore } from "./is-lost.ts";
import {
  CLOCK_STEP_MS_MAX,
  type FeedEvent,
  type FeedPage,
  type FeedReader,
  readEnd,
  readFeed,
  readKeptDays,
  readRestores,
} from "./read-feed.ts";
import { ALWAYS_BY_INDEX, type Waiter, watchCommits } from "./watch-commits.ts";

/** A running feed. */
export interface ChangeFeed {
  /**
   * Handles the route of a feed. A service with several feeds passes `typeCondition`, an SQL condition on `type`; a partial index
   * of `published_events` must have the same condition. Rejects with 410 `cursor_expired` if events after the cursor may be gone.
   */
  list(request: ApiRequest<undefined, FeedQuery>, typeCondition?: string): Promise<ApiResponse>;
  /** Ends the current and all later waits, so that they do not delay the stop of the server. */
  endWaits(): void;
  stop(): Promise<void>;
}

// The feed has its own small pool, so that readers never use up the connections of requests that write.
const CONNECTIONS_MAX = 4;
const DAY_MS = 24 * 60 * 60 * 1_000;
const READ_RETENTION_EVERY_MS = 60_000;
const RESTORED_REASON = "the database was restored from a backup.";
const CLOCK_REASON = "the database's clock was set back.";
// Stands in for the number of a poll when a request's time is up. Such requests may share one read.
const NO_POLL = -1;
// The condition in a service with one feed.
const ALL_TYPES = "true";

/** Some events, and the position after them. */
interface Page {
  readonly events: readonly FeedEvent[];
  readonly cursor: FeedCursor;
  readonly hasMore: boolean;
}

/**
 * Starts the feed of a service's outbox (interface §10). `tenantsRole` sees one tenant's events, `watchRole` the events of all
 * tenants. Published events must be kept for at least one day longer than `keepDays`, because cursors expire by whole days.
 */
export function startChangeFeed(options: {
  service: string;
  databaseUrl: string;
  tenantsRole: string;
  watchRole: string;
  prepare: boolean;
  keepDays: number;
  metrics: Metrics;
  logger: Logger;
}): ChangeFeed {
  const { service, databaseUrl: url, prepare, keepDays, metrics, logger } = options;
  let waitingCount = 0;
  metrics.gauge("feed_requests_waiting", "Requests that wait for an event.", [], (gauge) =>
    gauge.set(waitingCount),
  );
  const connection = { url, prepare, metrics, logger };
  const commits = watchCommits({ ...connection, role: options.watchRole, name: `${service}.feed` });
  const tenants = connectTenants({
    ...connection,
    role: options.tenantsRole,
    name: `${service}.feed-pages`,
    connectionsMax: CONNECTIONS_MAX,
    settings: ALWAYS_BY_INDEX,
  });
  const shareRead = sharedReads();
  const stopping = new AbortController();
  let retention: { since: number; now: number; restores: readonly Restore[]; readAt: number } | null = null;

  /**
   * Returns the time since which all events are kept and the database's time, both in ms since the epoch, and the restores of the
   * database that lost commits. The result is at most a minute old.
   */
  async function readRetention(tenant: FeedReader) {
    if (retention === null || performance.now() - retention.readAt > READ_RETENTION_EVERY_MS) {
      const readAt = performance.now();
      const [{ start, now }, restores] = await Promise.all([readKeptDays(tenant), readRestores(tenant)]);
      const since = Math.max(start ?? 0, Math.floor(now / DAY_MS) * DAY_MS - keepDays * DAY_MS);
      retention = { since, now, restores, readAt };
    }
    return retention;
  }

  async function startCursor(tenant: FeedReader, after: FeedQuery["after"]): Promise<FeedCursor> {
    const { since, now, restores } = await readRetention(tenant);
    const incarnation = restores.at(-1)?.incarnation ?? null;
    if (after === null || after === "now") {
      const end = after === "now" ? await readEnd(tenant) : null;
      return { xid: "0", id: "0", ...end, since, incarnation };
    }
    if (after.since < since) throw expired(`events are kept for ${keepDays} days.`);
    if (after.since > now + CLOCK_STEP_MS_MAX) throw expired(CLOCK_REASON);
    if (isLost(after, restores)) throw expired(RESTORED_REASON);
    return { ...after, incarnation };
  }

  /** Reads again after each poll that found events, until a page has events or the wait ends. */
  async function waitForEvents(
    tenant: FeedReader,
    waiter: Waiter,
    first: Page,
    { query, raw }: ApiRequest<undefined, FeedQuery>,
    typeCondition: string,
  ): Promise<Page> {
    const end = endOfWait(query.waitSeconds * 1_000, raw.socket, stopping.signal);
    let page = first;
    waitingCount += 1;
    try {
      while (page.events.length === 0 && !page.hasMore && !end.isReached()) {
        const pollNumber = await Promise.race([waiter.next(), end.reached]);
        const { cursor } = page;
        const read = () =>
          readFeed(tenant, typeCondition, { after: cursor, types: query.types, limit: query.limit });
        page = pageAfter(
          cursor,
          await shareRead(tenant, typeCondition, pollNumber ?? NO_POLL, cursor, query, read),
        );
      }
      return page;
    } finally {
      waitingCount -= 1;
      end.release();
    }
  }

  return {
    list: async (request, typeCondition = ALL_TYPES) => {
      const { principal, query } = request;
      const tenant = tenants.of(principal.tenantId);
      const start = await startCursor(tenant, query.after);
      if (query.waitSeconds === 0) {
        await request.takeSlot();
        return feedResponse(await readPage(tenant, typeCondition, start, query));
      }
      // Start watching before the first read, so that an event that commits after the read wakes this request.
      const waiter = commits.watch(principal.tenantId);
      try {
        const first = await readPage(tenant, typeCondition, start, query);
        return await respondWithSlot(
          request,
          await waitForEvents(tenant, waiter, first, request, typeCondition),
          () => readPage(tenant, typeCondition, start, query),
        );
      } finally {
        waiter.stop();
      }
    },
    endWaits: () => stopping.abort(),
    stop: async () => {
      await commits.stop();
      await tenants.stop();
    },
  };
}

/** Shares reads: requests that wait at the same position of the same feed, and are woken by the same poll, use one read. */
function sharedReads() {
  const reads = new Map<string, Promise<FeedPage | null>>();
  return (
    { tenantId }: FeedReader,
    typeCondition: string,
    pollNumber: number,
    { xid, id }: FeedCursor,
    { types, limit }: FeedQuery,
    read: () => Promise<FeedPage | null>,
  ): Promise<FeedPage | null> => {
    const key = [tenantId, typeCondition, pollNumber, xid, id, types, limit].join(" ");
    const shared = reads.get(key);
    if (shared !== undefined) return shared;
    const started = read().finally(() => reads.delete(key));
    reads.set(key, started);
    return started;
  };
}

// Smaller pages are written without a slot.
const WITHOUT_SLOT_BYTES_MAX = 64 * 1024;

/**
 * Responds with the page. If a large page has to wait for its slot, it is dropped and read again, so that waiting requests hold
 * no memory.
 */
function respondWithSlot(
  { takeSlot }: ApiRequest<undefined, FeedQuery>,
  page: Page,
  readAgain: () => Promise<Page>,
): ApiResponse | Promise<ApiResponse> {
  const bytes = page.events.reduce((sum, { data }) => sum + data.length, 0);
  const waiting = bytes <= WITHOUT_SLOT_BYTES_MAX ? undefined : takeSlot();
  return waiting === undefined ? feedResponse(page) : waiting.then(readAgain).then(feedResponse);
}

async function readPage(
  tenant: FeedReader,
  typeCondition: string,
  after: FeedCursor,
  { types, limit }: FeedQuery,
): Promise<Page> {
  return pageAfter(after, await readFeed(tenant, typeCondition, { after, types, limit }));
}

function pageAfter(cursor: FeedCursor, page: FeedPage | null): Page {
  if (page === null) throw expired(RESTORED_REASON);
  return { events: page.events, cursor: cursorAfter(cursor, page), hasMore: page.hasMore };
}

function feedResponse({ events, cursor, hasMore }: Page): ApiResponse {
  return {
    status: 200,
    headers: { "content-type": "application/json; charset=utf-8", "cache-control": "no-store" },
    bytes: Buffer.from(feedJson(events, { nextCursor: encodeFeedCursor(cursor), hasMore })),
  };
}

function expired(reason: string): ApiError {
  return new ApiError("cursor_expired", `Events after this cursor may be gone: ${reason} Start without it.`);
}
