// A change feed as an async iterable. It never ends: it waits for the next event, and can be continued after a crash.
import { type Fetch, iterate, positionOf } from "./iterate.ts";

export interface FeedPage<Event> {
  readonly data: readonly Event[];
  /** The `after` of the next page. Save it in the same transaction that applies the page. */
  readonly nextCursor: string;
  /** True if more events are available now. */
  readonly hasMore: boolean;
}

/** A change feed, oldest first. No request is sent until it is iterated or a method is called. */
export interface Feed<Event> extends AsyncIterable<Event> {
  /** Pass it as `after` to continue there, in any process. It also advances when a page has no events of the types. */
  readonly cursor: string | undefined;
  /** Waits up to `waitSeconds` for an event after the cursor. */
  page(): Promise<FeedPage<Event>>;
  /** Returns all pages, without end. After `waitSeconds` without an event a page is empty, with a cursor worth saving. */
  pages(): AsyncIterable<FeedPage<Event>>;
}

const PAGE_EVENTS = 100;
const WAIT_SECONDS = 20;

/** Iterations end without an error when `signal` aborts, and repeat a failed request until `deadlineMs`, if there is one. */
export function createFeed<Event>(
  fetch: (query: Readonly<Record<string, unknown>>, deadlineMs?: number) => ReturnType<Fetch>,
  query: Readonly<Record<string, unknown>>,
  options: { readonly signal?: AbortSignal | undefined; readonly deadlineMs?: number | undefined },
): Feed<Event> {
  const { signal, deadlineMs = Number.POSITIVE_INFINITY } = options;
  const start = positionOf(query.after as string | undefined);
  let reached = query.after === "now" ? undefined : (query.after as string | undefined);
  const toPage = ({ data, page }: Awaited<ReturnType<Fetch>>): FeedPage<Event> => ({
    data: data as Event[],
    nextCursor: page?.nextCursor ?? "",
    hasMore: page?.hasMore ?? false,
  });
  async function* pages() {
    let after = start.cursor;
    const rest = { limit: query.limit ?? PAGE_EVENTS, waitSeconds: query.waitSeconds ?? WAIT_SECONDS };
    while (signal?.aborted !== true) {
      // The first response then has a cursor. Otherwise events during a failed wait would be skipped.
      const waitSeconds = after === "now" ? 0 : rest.waitSeconds;
      let page: FeedPage<Event>;
      try {
        page = toPage(await fetch({ ...query, ...rest, waitSeconds, after }, deadlineMs));
      } catch (error) {
        if (isAborted(signal)) return;
        throw error;
      }
      yield { page, cursor: after };
      after = page.nextCursor;
    }
  }
  return {
    get cursor() {
      return reached;
    },
    page: async () => toPage(await fetch({ ...query, after: start.cursor }, options.deadlineMs)),
    pages: async function* () {
      for await (const { page } of pages()) {
        yield page;
        reached = page.nextCursor;
      }
    },
    [Symbol.asyncIterator]: async function* () {
      const events = iterate<Event>(pages(), start.lastId, (position) => {
        reached = position;
      });
      for await (const event of events) {
        yield event;
        if (isAborted(signal)) return;
      }
    },
  };
}

/** The compiler assumes that `aborted` does not change during an await. */
function isAborted(signal: AbortSignal | undefined): boolean {
  return signal?.aborted === true;
}
