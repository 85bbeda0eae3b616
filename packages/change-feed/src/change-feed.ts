// The change feed of a service: what it emitted for a tenant, in an order in which a reader misses nothing (interface §10).
//
// Cast. `feed-query` has the query and `feed-cursor` the reader's place. `read-feed` reads a page from the outbox and the
// published events. `watch-commits` wakes the requests that wait. `event-json` writes the response.
import { ApiError, type ApiRequest, type ApiResponse, endOfWait } from "@tradepost/http";
import { connectTenants } from "@tradepost/postgres";
import type { Logger, Metrics } from "@tradepost/runtime";
import { feedJson } from "./event-json.ts";
import { cursorAfter, encodeFeedCursor, type FeedCursor } from "./feed-cursor.ts";
import type { FeedQuery } from "./feed-query.ts";
import { isLost, type Restore } from "./is-lost.ts";
import {
  CLOCK_STEP_MS,
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
   * The handler of a feed's route. `only` is SQL, a condition on `type`, for a service with several feeds; published_events must
   * have a partial index with it.
   */
  list(request: ApiRequest<undefined, FeedQuery>, only?: string): Promise<ApiResponse>;
  /** Ends all waits, also later ones, so that they do not delay the stop of the server. */
  endWaits(): void;
  stop(): Promise<void>;
}

// However many read, requests that change something find a connection.
const CONNECTIONS_MAX = 4;
const DAY_MS = 24 * 60 * 60 * 1_000;
const READ_KEPT_EVERY_MS = 60_000;
const RESTORED = "the database was restored from a backup.";
const CLOCK_SET_BACK = "the database's clock was set back.";
// In place of the number of a look: the reads of requests whose time is up, of which any may serve the others.
const END_OF_WAIT = -1;
// The condition of the only feed of a service.
const ALL = "true";

/** Some events, and the place behind them. */
interface Page {
  readonly events: readonly FeedEvent[];
  readonly cursor: FeedCursor;
  readonly hasMore: boolean;
}

/**
 * Starts the feed of the service's outbox (interface §10). `tenantsRole` sees one tenant's events, and `watchRole`
 * those of all. Published events must be kept for at least a day longer than `keepDays`, because a reader's
 * cursor expires by the day.
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
  let kept: { since: number; now: number; restores: readonly Restore[]; readAt: number } | null = null;

  /**
   * The time since which all events are kept and the time of the database, at most a minute old, in ms since the epoch, and
   * what restores of the database have lost.
   */
  async function readKept(tenant: FeedReader) {
    if (kept === null || performance.now() - kept.readAt > READ_KEPT_EVERY_MS) {
      const readAt = performance.now();
      const [{ start, now }, restores] = await Promise.all([readKeptDays(tenant), readRestores(tenant)]);
      const since = Math.max(start ?? 0, Math.floor(now / DAY_MS) * DAY_MS - keepDays * DAY_MS);
      kept = { since, now, restores, readAt };
    }
    return kept;
  }

  async function startOf(tenant: FeedReader, after: FeedQuery["after"]): Promise<FeedCursor> {
    const { since, now, restores } = await readKept(tenant);
    const incarnation = restores.at(-1)?.incarnation ?? null;
    if (after === null || after === "now") {
      const end = after === "now" ? await readEnd(tenant) : null;
      return { xid: "0", id: "0", ...end, since, incarnation };
    }
    if (after.since < since) throw expired(`events are kept for ${keepDays} days.`);
    if (after.since > now + CLOCK_STEP_MS) throw expired(CLOCK_SET_BACK);
    if (isLost(after, restores)) throw expired(RESTORED);
    return { ...after, incarnation };
  }

  /** Reads again whenever there may be new events, until a page has some or the wait ends. */
  async function waitForEvents(
    tenant: FeedReader,
    waiter: Waiter,
    first: Page,
    { query, raw }: ApiRequest<undefined, FeedQuery>,
    only: string,
  ): Promise<Page> {
    const end = endOfWait(query.waitSeconds * 1_000, raw.socket, stopping.signal);
    let page = first;
    waitingCount += 1;
    try {
      while (page.events.length === 0 && !page.hasMore && !end.isReached()) {
        const look = await Promise.race([waiter.next(), end.reached]);
        const { cursor } = page;
        const read = () => readFeed(tenant, only, { after: cursor, types: query.types, limit: query.limit });
        page = pageAfter(cursor, await shareRead(tenant, only, look ?? END_OF_WAIT, cursor, query, read));
      }
      return page;
    } finally {
      waitingCount -= 1;
      end.release();
    }
  }

  return {
    list: async (request, only = ALL) => {
      const { principal, query } = request;
      const tenant = tenants.of(principal.tenantId);
      const start = await startOf(tenant, query.after);
      if (query.waitSeconds === 0) {
        await request.takeSlot();
        return feedResponse(await readPage(tenant, only, start, query));
      }
      // It watches before the first read: whatever that does not show wakes it.
      const waiter = commits.watch(principal.tenantId);
      try {
        const first = await readPage(tenant, only, start, query);
        return await respondWithSlot(request, await waitForEvents(tenant, waiter, first, request, only), () =>
          readPage(tenant, only, start, query),
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

/** Requests that wait at the same position of one feed, and are woken by the same look at the database, share one read after it. */
function sharedReads() {
  const reads = new Map<string, Promise<FeedPage | null>>();
  return (
    { tenantId }: FeedReader,
    only: string,
    look: number,
    { xid, id }: FeedCursor,
    { types, limit }: FeedQuery,
    read: () => Promise<FeedPage | null>,
  ): Promise<FeedPage | null> => {
    const key = [tenantId, only, look, xid, id, types, limit].join(" ");
    const shared = reads.get(key);
    if (shared !== undefined) return shared;
    const started = read().finally(() => reads.delete(key));
    reads.set(key, started);
    return started;
  };
}

// Small pages are written at once.
const WITHOUT_SLOT_BYTES_MAX = 64 * 1024;

/** A request that has to wait for its slot does not hold its page meanwhile, and reads it again. */
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
  only: string,
  after: FeedCursor,
  { types, limit }: FeedQuery,
): Promise<Page> {
  return pageAfter(after, await readFeed(tenant, only, { after, types, limit }));
}

function pageAfter(cursor: FeedCursor, page: FeedPage | null): Page {
  if (page === null) throw expired(RESTORED);
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
