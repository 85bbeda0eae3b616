// A change feed of the platform as an async iterable that waits for the next event, for ever, and can continue after a crash.
import type { Fetch } from "./iterate.ts";
import { iterate } from "./iterate.ts";
import { positionOf } from "./position.ts";

/** A part of a feed. */
export interface FeedPage<Event> {
  readonly data: readonly Event[];
  /** The `after` of the next page. Save it in the transaction that applies the page. */
  readonly nextCursor: string;
  /** True if more events are there already. */
  readonly hasMore: boolean;
}

/** A change feed, oldest first. Nothing is requested before it is iterated, or one of its methods is called. */
export interface Feed<Event> extends AsyncIterable<Event> {
  /**
   * Where the iteration stands: after the event that it has given last. Pass it as `after` to continue there, also in another
   * process. It moves on while no event of the wanted types happens.
   */
  readonly cursor: string | undefined;
  /** The events after `after`, at once or within `waitSeconds`. */
  page(): Promise<FeedPage<Event>>;
  /** All pages, for ever: after `waitSeconds` without an event a page without events, whose cursor is worth saving too. */
  pages(): AsyncIterable<FeedPage<Event>>;
}

const PAGE_EVENTS = 100;
const WAIT_SECONDS = 20;

/** Iterations end without an error when `signal` aborts. They repeat a request that fails until `deadlineMs`, or for ever. */
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
      // `now` is turned into a cursor at once: what happens during a wait that fails must not be skipped.
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

/** A function, because the compiler does not expect a signal to change during an await. */
function isAborted(signal: AbortSignal | undefined): boolean {
  return signal?.aborted === true;
}
