// The change feed of a service: what it emitted for a tenant, in an order in which a reader misses nothing (interface §10).
//
// Cast. `feed-query` has the query and `feed-cursor` the reader's place. `read-feed` reads a page from the outbox and the
// published events. `watch-commits` wakes the requests that wait. `event-json` writes the response.
import { ApiError, type ApiRequest, type ApiResponse } from "@tradepost/http";
import type { Logger, Metrics } from "@tradepost/runtime";
import { endOfWait } from "./end-of-wait.ts";
import { feedJson } from "./event-json.ts";
import { encodeFeedCursor, type FeedCursor, type FeedPosition, START } from "./feed-cursor.ts";
import type { FeedQuery } from "./feed-query.ts";
import { type FeedPage, type FeedReader, readEnd, readFeed, readKeptSince } from "./read-feed.ts";
import { type Waiter, watchCommits } from "./watch-commits.ts";

/** A running feed. */
export interface ChangeFeed {
  /** The handler of the feed's route. */
  list(request: ApiRequest<undefined, FeedQuery>): Promise<ApiResponse>;
  /** Ends all waits, also later ones, so that they do not delay the stop of the server. */
  endWaits(): void;
  stop(): Promise<void>;
}

const DAY_MS = 24 * 60 * 60 * 1_000;
// Expired cursors are refused this long before their events are dropped, so that none is dropped while it is read.
const MARGIN_MS = 60_000;
const KEPT_SINCE_EVERY_MS = 60_000;

/**
 * Starts the feed of the service's outbox (interface §10). `tenants` reads as a role that sees one tenant's events, and
 * `watchRole` sees those of all. `keepDays` is the relay's.
 */
export function startChangeFeed(options: {
  service: string;
  tenants: { of(tenantId: string): FeedReader };
  databaseUrl: string;
  watchRole: string;
  prepare: boolean;
  keepDays: number;
  metrics: Metrics;
  logger: Logger;
}): ChangeFeed {
  const { service, tenants, databaseUrl: url, watchRole: role, prepare, keepDays, logger } = options;
  let waitingCount = 0;
  options.metrics.gauge("feed_requests_waiting", "Requests that wait for an event.", [], (gauge) =>
    gauge.set(waitingCount),
  );
  const commits = watchCommits({ url, role, name: `${service}.feed`, prepare, logger });
  const stopping = new AbortController();
  let kept: { since: number | null; readAt: number } | null = null;

  /** Throws 410 if events after the cursor may have been dropped. */
  async function requireKept(tenant: FeedReader, cursor: FeedCursor): Promise<void> {
    const now = Date.now();
    if (kept === null || now - kept.readAt > KEPT_SINCE_EVERY_MS) {
      kept = { since: await readKeptSince(tenant), readAt: now };
    }
    const oldest = Math.max(now - keepDays * DAY_MS + MARGIN_MS, kept.since ?? 0);
    if (cursor.readAt < oldest) throw expired(`Events are kept for ${keepDays} days.`);
  }

  /** Reads again whenever there may be new events, until a page has some or the wait ends. */
  async function waitForEvents(
    tenant: FeedReader,
    waiter: Waiter,
    first: FeedPage,
    { query, raw }: ApiRequest<undefined, FeedQuery>,
  ): Promise<FeedPage> {
    const end = endOfWait(query.waitSeconds * 1_000, raw.socket, stopping.signal);
    let page = first;
    waitingCount += 1;
    try {
      while (page.events.length === 0 && !page.hasMore && !end.isReached()) {
        await Promise.race([waiter.next(), end.reached]);
        page = await readPage(tenant, page.position, query);
      }
      return page;
    } finally {
      waitingCount -= 1;
      end.release();
    }
  }

  return {
    list: async (request) => {
      const { principal, query } = request;
      const tenant = tenants.of(principal.tenantId);
      const after = query.after === "now" ? await readEnd(tenant) : query.after;
      if (after !== null) await requireKept(tenant, after);
      if (query.waitSeconds === 0) return feedResponse(await readPage(tenant, after ?? START, query));
      // It watches before the first read: whatever that does not show wakes it.
      const waiter = commits.watch(principal.tenantId);
      try {
        const first = await readPage(tenant, after ?? START, query);
        return feedResponse(await waitForEvents(tenant, waiter, first, request));
      } finally {
        waiter.stop();
      }
    },
    endWaits: () => stopping.abort(),
    stop: () => commits.stop(),
  };
}

async function readPage(tenant: FeedReader, after: FeedPosition, query: FeedQuery): Promise<FeedPage> {
  const page = await readFeed(tenant, { after, types: query.types, limit: query.limit });
  if (page === null) throw expired("The database was restored from a backup.");
  return page;
}

function feedResponse({ events, position, hasMore, readAt }: FeedPage): ApiResponse {
  const nextCursor = encodeFeedCursor({ ...position, readAt });
  return {
    status: 200,
    headers: { "content-type": "application/json; charset=utf-8", "cache-control": "no-store" },
    bytes: Buffer.from(feedJson(events, { nextCursor, hasMore })),
  };
}

function expired(reason: string): ApiError {
  return new ApiError("cursor_expired", `Events after this cursor may be gone: ${reason} Start without it.`);
}
