// Follows the change feed of orders while clients change them. A reader may see an event again, but misses none (interface §10).
import type { TenantCredentials } from "@tradepost/devstack";
import { sleep } from "@tradepost/runtime";
import { isAnswered, type Sender } from "../send-requests.ts";
import { timelineEntryOf } from "./order-workload.ts";

/** What a reader has seen of each order, by id: the entries in the order of their first arrival. */
export type SeenOrders = ReadonlyMap<string, readonly string[]>;

export interface FeedReader {
  /** Reads on until it has seen all of the timelines, or for a limited time. */
  stop(timelines: ReadonlyMap<string, readonly string[]>): Promise<SeenOrders>;
}

interface FeedEvent {
  readonly type: string;
  readonly data: {
    readonly order: { id: string; version: number; status: string; paymentStatus: string };
    readonly payment?: { amount: number };
    readonly refund?: { amount: number };
  };
}

const CATCH_UP_MS = 60_000;
const RETRY_AFTER_MS = 150;
const FEED = "/v1/orders/events?limit=100&waitSeconds=1";

/** Resolves when the reader knows the end of the feed, from which it goes on. */
export async function startFeedReader(sender: Sender, tenant: TenantCredentials): Promise<FeedReader> {
  const seen = new Map<string, string[]>();
  const stopping = new AbortController();
  let isComplete = () => false;
  let cursor = await readEnd();
  const following = follow();
  // An error is thrown by `stop`.
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
      const response = await sender.send(tenant, { method: "GET", path: `${FEED}${after}` });
      if (response.status === 200) {
        cursor = response.body.page.nextCursor;
        for (const event of response.body.data as FeedEvent[]) add(event);
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

  function add({ type, data: { order, ...payment } }: FeedEvent): void {
    const entry = timelineEntryOf({ type, ...order, ...payment });
    const entries = seen.get(order.id) ?? [];
    seen.set(order.id, entries);
    if (!entries.includes(entry)) entries.push(entry);
  }

  return {
    stop: async (timelines) => {
      isComplete = () => feedFaults(timelines, seen).length === 0;
      stopping.abort();
      await following;
      return seen;
    },
  };
}

/** Compares the timelines, which begin with the newest entry, with what a reader has seen of their orders. Pure. */
export function feedFaults(timelines: ReadonlyMap<string, readonly string[]>, seen: SeenOrders): string[] {
  return [...timelines].flatMap(([id, timeline]) => {
    const [expected, actual] = [timeline.toReversed(), seen.get(id) ?? []];
    const at = expected.findIndex((entry, index) => entry !== actual[index]);
    if (at >= 0) return [`order ${id}: the feed has ${actual[at] ?? "nothing"} in place of ${expected[at]}`];
    return actual.length > expected.length
      ? [`order ${id}: the feed has ${actual[expected.length]}, too`]
      : [];
  });
}
