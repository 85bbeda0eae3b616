// The queue of the webhooks service is gone, so all that was published is published again: tens of thousands of events.
// What happens meanwhile is heard of as promptly as ever.
import { sleep } from "@tradepost/runtime";
import pg from "pg";
import { quantiles } from "../latency.ts";
import type { Fault, Strike } from "./fault.ts";
import { manage } from "./manage.ts";

const BULK_CALLS = 200;
const ORDERS_A_CALL = 100;
const CALLS_AT_ONCE = 4;
/** A slow machine places fewer. */
const PLACE_WITHIN_MS = 120_000;
const PUBLISHED_WITHIN_MS = 180_000;
const PROMPT_MS = 5_000;
/** Long enough that events which wait for the replay to end are seen to wait. */
const WATCH_MS_MIN = 20_000;
const QUIET_WITHIN_MS = 300_000;
const QUIET_LOOKS = 4;
const LOOK_EVERY_MS = 500;

export const replayDuringTraffic: Fault = {
  name: "replay during traffic",
  keepsPace: true,
  strike: async (strike) => {
    const { platform, lastMs, note, fail } = strike;
    await placeMany(strike);
    note(`published before: ${await untilPublished(strike)} events of orders`);
    const from = Date.now();
    await manage(platform, "DELETE", "queues/%2F/webhooks.events");
    await sleep(Math.max(WATCH_MS_MIN, 3 * lastMs));
    for (const [what, delaysMs] of delays(strike, from, Date.now())) {
      const delay = quantiles(delaysMs);
      if (delay === undefined) {
        fail(`no ${what} during the replay`);
        continue;
      }
      note(`from the response to ${what}: p50 ${delay.p50Ms} ms, p99 ${delay.p99Ms} ms`);
      if (delay.p50Ms > PROMPT_MS)
        fail(`${what} took ${(delay.p50Ms / 1_000).toFixed(1)} s during the replay`);
    }
    await untilQuiet(strike);
  },
};

/** By calls for 100 orders each. They are real: a replay must leave the ledger as it is. */
async function placeMany({ platform, hostile }: Strike): Promise<void> {
  const order = { customerId: hostile.customerId, items: [{ sku: "A", name: "A" }] };
  const body = JSON.stringify({ orders: Array.from({ length: ORDERS_A_CALL }, () => order) });
  let left = BULK_CALLS;
  const deadline = performance.now() + PLACE_WITHIN_MS;
  const worker = async () => {
    while (left > 0 && performance.now() < deadline) {
      left -= 1;
      const response = await fetch(`${platform.url}/v1/orders/bulk`, {
        method: "POST",
        headers: { authorization: `Bearer ${hostile.apiKey}`, "content-type": "application/json" },
        body,
        signal: AbortSignal.timeout(60_000),
      }).catch(() => undefined);
      await response?.body?.cancel();
    }
  };
  await Promise.all(Array.from({ length: CALLS_AT_ONCE }, worker));
}

/** Resolves, when nearly nothing waits to be published, to how many events were. */
async function untilPublished({ platform }: Strike): Promise<number> {
  const client = new pg.Client(platform.databases.orders);
  await client.connect();
  try {
    const count = async (table: string) =>
      (await client.query<{ count: number }>(`select count(*)::int as count from ${table}`)).rows[0]?.count ??
      0;
    const deadline = performance.now() + PUBLISHED_WITHIN_MS;
    while ((await count("outbox")) > ORDERS_A_CALL && performance.now() < deadline)
      await sleep(LOOK_EVERY_MS);
    return await count("published_events");
  } finally {
    await client.end();
  }
}

/** From a response to the event on the exchange, or to the webhook. What has not come yet took until now. */
function delays(
  { stream, hearing, receiver }: Strike,
  from: number,
  now: number,
): [what: string, delaysMs: number[]][] {
  const firstAt = (all: readonly { type: string; id: string; at: number }[]) => {
    const first = new Map<string, number>();
    for (const { type, id, at } of all) if (!first.has(`${type} ${id}`)) first.set(`${type} ${id}`, at);
    return first;
  };
  const [heard, received] = [firstAt(hearing.heard), firstAt(receiver.webhooks)];
  const done = stream.operations.filter(({ acknowledgedAt }) => (acknowledgedAt ?? 0) >= from);
  const since = (kind: string, at: ReadonlyMap<string, number>) =>
    done
      .filter((one) => one.kind === kind)
      .map(({ id, acknowledgedAt }) =>
        Math.max(0, (at.get(`${kind} ${id}`) ?? now) - (acknowledgedAt ?? now)),
      );
  return [
    ["a new order's event", since("order.placed", heard)],
    ["a new redirect's webhook", since("redirect.added", received)],
  ];
}

/** Until the queues are empty, and stay so for some looks: the replay is over, or far enough. */
async function untilQuiet({ platform, fail }: Strike): Promise<void> {
  let quietLooks = 0;
  for (const deadline = performance.now() + QUIET_WITHIN_MS; quietLooks < QUIET_LOOKS; ) {
    if (performance.now() > deadline) return fail("the queues did not become empty after the replay");
    const queues = (await manage(platform, "GET", "queues/%2F")) as { name: string; messages?: number }[];
    const waiting = queues.filter(({ name }) => name === "webhooks.events" || name === "webhooks.deliveries");
    quietLooks = waiting.every(({ messages }) => messages === 0) ? quietLooks + 1 : 0;
    await sleep(LOOK_EVERY_MS);
  }
  await platform.untilReady();
}
