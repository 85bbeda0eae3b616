// The change feed of a service: the events that it emitted for a tenant, in an order in which a reader misses none (interface
// §10).
//
// Cast. `feed-query` parses the query and `feed-cursor` the reader's position. `read-feed` reads a page from the outbox and the
// published events. `watch-commits` wakes waiting requests.
import { ApiError, type ApiRequest, type ApiResponse, endOfWait, NO_ID } from "@tradepost/http";
import {
  ALWAYS_IN_INDEX_ORDER,
  connectTenants,
  type DatabaseAccess,
  type Tenant,
  type TenantDatabases,
} from "@tradepost/postgres";
import { freshFor, type Logger, type Metrics } from "@tradepost/runtime";
import { cursorAfter, encodeFeedCursor, type FeedCursor, isLost } from "./feed-cursor.ts";
import type { FeedQuery } from "./feed-query.ts";
import {
  CLOCK_STEP_MS_MAX,
  type FeedEvent,
  type FeedPage,
  readEnd,
  readFeed,
  readKeptDays,
  readRestores,
  type Selection,
} from "./read-feed.ts";
import { type Waiter, watchCommits } from "./watch-commits.ts";

export type ChangeFeed = ReturnType<typeof startChangeFeed>;

// Readers never use up the connections of requests that write.
const CONNECTIONS_MAX = 4;
const DAY_MS = 24 * 60 * 60 * 1_000;
const RETENTION_FRESH_MS = 60_000;
const RESTORED_REASON = "the database was restored from a backup.";
const CLOCK_REASON = "the database's clock was set back.";
const NO_POLL = -1;
const ALL_TYPES = "true";

interface Page {
  readonly events: readonly FeedEvent[];
  readonly cursor: FeedCursor;
  readonly hasMore: boolean;
}

interface FeedOptions {
  readonly service: string;
  readonly database: Omit<DatabaseAccess, "role">;
  readonly tenantsRole: string;
  readonly watchRole: string;
  /** Published events must be kept for at least one day longer, because cursors expire by whole days. */
  readonly keepDays: number;
  readonly metrics: Metrics;
  readonly logger: Logger;
}

/** Starts the feed of a service's outbox (interface §10). */
export function startChangeFeed(options: FeedOptions) {
  const { service, metrics, logger } = options;
  const connection = { ...options.database, metrics, logger };
  const commits = watchCommits({ ...connection, role: options.watchRole, name: `${service}.feed` });
  const tenants = connectTenants<unknown>({
    ...connection,
    role: options.tenantsRole,
    name: `${service}.feed-pages`,
    connectionsMax: CONNECTIONS_MAX,
    settings: ALWAYS_IN_INDEX_ORDER,
  });
  const startCursor = cursorStarter(tenants, options.keepDays);
  const stopping = new AbortController();
  const waitForEvents = waiting(metrics, stopping.signal);
  return {
    /**
     * A service with several feeds passes `typeCondition`, an SQL condition on `type`, which must be that of a partial index of
     * `published_events`. Rejects with 410 `cursor_expired` if events after the cursor may be gone.
     */
    list: async (
      request: ApiRequest<undefined, FeedQuery>,
      typeCondition = ALL_TYPES,
    ): Promise<ApiResponse> => {
      const { after, types, limit, waitSeconds } = request.query;
      const tenant = tenants.of(request.principal.tenantId);
      const start = await startCursor(tenant, after);
      const selection = { tenant, typeCondition, types, limit };
      const readFirst = async () => pageAfter(start, await readFeed(selection, start));
      if (waitSeconds === 0) {
        await request.takeSlot();
        return feedResponse(await readFirst());
      }
      // Before the first read, so that an event that commits after it wakes this request.
      const waiter = commits.watch(tenant.tenantId);
      try {
        const page = await waitForEvents(selection, waiter, await readFirst(), request);
        return await respondWithSlot(request, page, readFirst);
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

/** Returns the function that determines the cursor where a request starts, or throws 410. */
function cursorStarter(tenants: TenantDatabases<unknown>, keepDays: number) {
  /** Shared by all tenants: since when all events are kept, and the database's time, both in ms since the epoch, and the restores. */
  const readRetention = freshFor(RETENTION_FRESH_MS, async () => {
    const nobody = tenants.of(NO_ID);
    const [{ start, now }, restores] = await Promise.all([readKeptDays(nobody), readRestores(nobody)]);
    const since = Math.max(start ?? 0, Math.floor(now / DAY_MS) * DAY_MS - keepDays * DAY_MS);
    return { since, now, restores };
  });

  return async (tenant: Tenant<unknown>, after: FeedQuery["after"]): Promise<FeedCursor> => {
    const { since, now, restores } = await readRetention();
    const incarnation = restores.at(-1)?.incarnation ?? null;
    if (after === null || after === "now") {
      const end = after === "now" ? await readEnd(tenant) : null;
      return { xid: "0", id: "0", ...end, since, incarnation };
    }
    if (after.since < since) throw expired(`events are kept for ${keepDays} days.`);
    if (after.since > now + CLOCK_STEP_MS_MAX) throw expired(CLOCK_REASON);
    if (isLost(after, restores)) throw expired(RESTORED_REASON);
    return { ...after, incarnation };
  };
}

/** Returns the function that reads again until a page has events or the wait ends. */
function waiting(metrics: Metrics, stopping: AbortSignal) {
  let waitingCount = 0;
  metrics.gauge("feed_requests_waiting", "Requests that wait for an event.", [], (gauge) =>
    gauge.set(waitingCount),
  );
  const shareRead = sharedReads();
  return async (
    selection: Selection,
    waiter: Waiter,
    first: Page,
    { query, raw }: ApiRequest<undefined, FeedQuery>,
  ): Promise<Page> => {
    const end = endOfWait(query.waitSeconds * 1_000, raw.socket, stopping);
    let page = first;
    waitingCount += 1;
    try {
      while (page.events.length === 0 && !page.hasMore && !end.isReached()) {
        const pollNumber = (await Promise.race([waiter.next(), end.reached])) ?? NO_POLL;
        page = await shareRead(selection, pollNumber, page.cursor);
      }
      return page;
    } finally {
      waitingCount -= 1;
      end.release();
    }
  };
}

/** Requests that wait at the same position of the same feed, and are woken by the same poll, use one read. */
function sharedReads() {
  const reads = new Map<string, Promise<FeedPage | null>>();
  return async (selection: Selection, pollNumber: number, after: FeedCursor): Promise<Page> => {
    const { tenant, typeCondition, types, limit } = selection;
    const key = [tenant.tenantId, typeCondition, pollNumber, after.xid, after.id, types, limit].join(" ");
    const shared = reads.get(key) ?? readFeed(selection, after).finally(() => reads.delete(key));
    reads.set(key, shared);
    return pageAfter(after, await shared);
  };
}

// Smaller pages are written without a slot.
const WITHOUT_SLOT_BYTES_MAX = 64 * 1024;

/** A large page that waits for its slot is dropped and read again, so that waiting requests hold no memory. */
function respondWithSlot(
  { takeSlot }: ApiRequest<undefined, FeedQuery>,
  page: Page,
  readAgain: () => Promise<Page>,
): ApiResponse | Promise<ApiResponse> {
  const bytes = page.events.reduce((sum, { data }) => sum + data.length, 0);
  const waiting = bytes <= WITHOUT_SLOT_BYTES_MAX ? undefined : takeSlot();
  return waiting === undefined ? feedResponse(page) : waiting.then(readAgain).then(feedResponse);
}

function pageAfter(cursor: FeedCursor, page: FeedPage | null): Page {
  if (page === null) throw expired(RESTORED_REASON);
  return { events: page.events, cursor: cursorAfter(cursor, page), hasMore: page.hasMore };
}

/** Event data is copied as stored, so numbers keep their digits and fields their order (interface §10). */
function feedResponse({ events, cursor, hasMore }: Page): ApiResponse {
  const page = JSON.stringify({ nextCursor: encodeFeedCursor(cursor), hasMore });
  const text = `{"success":true,"data":[${events.map(eventJson).join(",")}],"page":${page}}`;
  return {
    status: 200,
    headers: { "content-type": "application/json; charset=utf-8" },
    bytes: Buffer.from(text),
  };
}

function expired(reason: string): ApiError {
  return new ApiError("cursor_expired", `Events after this cursor may be gone: ${reason} Start without it.`);
}

function eventJson({ eventId, type, occurredAt, requestId, actor, data }: FeedEvent): string {
  const head = JSON.stringify({ id: eventId, type, occurredAt, requestId });
  return `${head.slice(0, -1)},"actor":${actor},"data":${data}}`;
}
