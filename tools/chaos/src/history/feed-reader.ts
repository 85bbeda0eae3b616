// Follows the change feed of orders while clients change them. A reader may see an event again, but misses none (interface §10).
import { sleep } from "@tradepost/runtime";
import { isAnswered } from "../send-requests.ts";
import type { Entry } from "./order-model.ts";
import { type PaidOrRefunded, timelineEntryOf } from "./order-workload.ts";
import type { Recorder } from "./record-operation.ts";

type SeenOrders = ReadonlyMap<string, readonly string[]>;

export interface SeenFeed {
  readonly orders: SeenOrders;
  /** The entries shown by a primary that may be cut off: each may be lost, and then does not come again. */
  readonly mayBeLost: SeenOrders;
}

export type FeedReader = Awaited<ReturnType<typeof startFeedReader>>;

interface FeedEvent {
  readonly type: string;
  readonly data: PaidOrRefunded & { readonly order: Omit<Entry, "type"> & { readonly id: string } };
}

const CATCH_UP_MS = 60_000;
const RETRY_AFTER_MS = 150;
const FEED = "/v1/orders/events?limit=100&waitSeconds=1";

export async function startFeedReader(recorder: Omit<Recorder, "failedRequests">) {
  const { sender, tenant, readsMayShowLost } = recorder;
  const orders = new Map<string, string[]>();
  const mayBeLost = new Map<string, string[]>();
  const stopping = new AbortController();
  let isComplete = () => false;
  let cursor = await readEnd();
  const following = follow();
  // `stop` throws the error.
  following.catch(() => undefined);

  async function readEnd(): Promise<string> {
    const { status, body } = await sender.send(tenant, { method: "GET", path: `${FEED}&after=now` });
    if (status !== 200) throw new Error(`reading the end of the feed failed with ${status}`);
    return body.page.nextCursor;
  }

  async function follow(): Promise<void> {
    let deadline = Number.POSITIVE_INFINITY;
    while (!isComplete() && Date.now() < deadline) {
      if (stopping.signal.aborted) deadline = Math.min(deadline, Date.now() + CATCH_UP_MS);
      const after = cursor === "" ? "" : `&after=${encodeURIComponent(cursor)}`;
      const isCutOff = readsMayShowLost();
      const response = await sender.send(tenant, { method: "GET", path: `${FEED}${after}` });
      if (response.status === 200) {
        cursor = response.body.page.nextCursor;
        const seen = isCutOff || readsMayShowLost() ? mayBeLost : orders;
        for (const event of response.body.data as FeedEvent[]) add(seen, event);
      } else if (response.status === 410) {
        // After a database was restored, a reader makes its copy again.
        cursor = "";
      } else if (isAnswered(response)) {
        throw new Error(`reading the feed failed with ${response.status}`);
      } else {
        await sleep(RETRY_AFTER_MS);
      }
    }
  }

  function add(seen: Map<string, string[]>, { type, data: { order, ...payment } }: FeedEvent): void {
    const entry = timelineEntryOf({ type, ...order, ...payment });
    const entries = seen.get(order.id) ?? [];
    seen.set(order.id, entries);
    if (!entries.includes(entry)) entries.push(entry);
  }

  return {
    stop: async (timelines: ReadonlyMap<string, readonly string[]>): Promise<SeenFeed> => {
      isComplete = () => feedFaults(timelines, { orders, mayBeLost }).length === 0;
      stopping.abort();
      await following;
      return { orders, mayBeLost };
    },
  };
}

/** Timelines begin with the newest entry. Pure. */
export function feedFaults(
  timelines: ReadonlyMap<string, readonly string[]>,
  { orders, mayBeLost }: SeenFeed,
): string[] {
  return [...timelines].flatMap(([id, timeline]) => {
    const actual = orders.get(id) ?? [];
    const expected = timeline
      .toReversed()
      .filter((entry) => actual.includes(entry) || !mayBeLost.get(id)?.includes(entry));
    const at = expected.findIndex((entry, index) => entry !== actual[index]);
    if (at >= 0) return [`order ${id}: the feed has ${actual[at] ?? "nothing"} in place of ${expected[at]}`];
    const [more] = actual.slice(expected.length);
    return more === undefined ? [] : [`order ${id}: the feed has ${more}, too`];
  });
}
