// The queue of the webhooks service is deleted, so tens of thousands of published events are published again. New events must not
// wait for them.
import { sleep } from "@tradepost/runtime";
import pg from "pg";
import { percentiles } from "../violations.ts";
import type { Fault, FaultContext } from "./fault.ts";
import { callManagement } from "./servers.ts";

const BULK_REQUESTS = 200;
const ORDERS_PER_REQUEST = 100;
const CONCURRENCY = 4;
const PLACE_TIMEOUT_MS = 120_000;
const PUBLISH_TIMEOUT_MS = 180_000;
const DELAY_P50_MS_MAX = 5_000;
/** Long enough to show events that wait for the end of the replay. */
const OBSERVE_MS_MIN = 20_000;
const EMPTY_TIMEOUT_MS = 300_000;
const EMPTY_POLLS = 4;
const POLL_MS = 500;

export const replayDuringTraffic: Fault = {
  name: "replay during traffic",
  mustStayFast: true,
  inject: async (context) => {
    const { platform, durationMs, note, fail } = context;
    await placeOrders(context);
    note(`order events published before the fault: ${await untilPublished(context)}`);
    const deletedAt = Date.now();
    await callManagement(platform, "DELETE", "queues/%2F/webhooks.events");
    await sleep(Math.max(OBSERVE_MS_MIN, 3 * durationMs));
    for (const [what, delaysMs] of delays(context, deletedAt, Date.now())) {
      const delay = percentiles(delaysMs);
      if (delay === undefined) {
        fail(`no ${what} during the replay`);
        continue;
      }
      note(`delay of ${what} after the response: p50 ${delay.p50Ms} ms, p99 ${delay.p99Ms} ms`);
      if (delay.p50Ms > DELAY_P50_MS_MAX)
        fail(`p50 delay of ${what} was ${(delay.p50Ms / 1_000).toFixed(1)} s during the replay`);
    }
    await untilQueuesEmpty(context);
  },
};

/** Places real orders: a replay must not change what `verify` counts. */
async function placeOrders({ platform, hostileTenant }: FaultContext): Promise<void> {
  const order = { customerId: hostileTenant.customerId, items: [{ sku: "A", name: "A" }] };
  const body = JSON.stringify({ orders: Array.from({ length: ORDERS_PER_REQUEST }, () => order) });
  let left = BULK_REQUESTS;
  const deadline = performance.now() + PLACE_TIMEOUT_MS;
  const worker = async () => {
    while (left > 0 && performance.now() < deadline) {
      left -= 1;
      const response = await fetch(`${platform.url}/v1/orders/bulk`, {
        method: "POST",
        headers: { authorization: `Bearer ${hostileTenant.apiKey}`, "content-type": "application/json" },
        body,
        signal: AbortSignal.timeout(60_000),
      }).catch(() => undefined);
      await response?.body?.cancel();
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, worker));
}

/** Resolves to the number of published events. */
async function untilPublished({ platform }: FaultContext): Promise<number> {
  const client = new pg.Client(platform.databases.orders);
  await client.connect();
  try {
    const count = async (table: string) =>
      (await client.query<{ count: number }>(`select count(*)::int as count from ${table}`)).rows[0]?.count ??
      0;
    const deadline = performance.now() + PUBLISH_TIMEOUT_MS;
    while ((await count("outbox")) > ORDERS_PER_REQUEST && performance.now() < deadline) await sleep(POLL_MS);
    return await count("published_events");
  } finally {
    await client.end();
  }
}

/** The times from an operation's response to the arrival of its event or webhook, or to `now` if it has not arrived. */
function delays(
  { traffic, eventObserver, webhookObserver }: FaultContext,
  from: number,
  now: number,
): [what: string, delaysMs: number[]][] {
  const acknowledged = traffic.operations.filter(({ acknowledgedAt }) => (acknowledgedAt ?? 0) >= from);
  const delaysOf = (type: string, arrivals: ReadonlyMap<string, number>) =>
    acknowledged
      .filter((operation) => operation.type === type)
      .map(({ aggregateId, acknowledgedAt }) =>
        Math.max(0, (arrivals.get(`${type} ${aggregateId}`) ?? now) - (acknowledgedAt ?? now)),
      );
  return [
    ["a new order's event", delaysOf("order.placed", firstArrivals(eventObserver.events))],
    ["a new redirect's webhook", delaysOf("redirect.added", firstArrivals(webhookObserver.webhooks))],
  ];
}

function firstArrivals(
  all: readonly { type: string; aggregateId: string; at: number }[],
): ReadonlyMap<string, number> {
  const first = new Map<string, number>();
  for (const { type, aggregateId, at } of all) {
    const key = `${type} ${aggregateId}`;
    if (!first.has(key)) first.set(key, at);
  }
  return first;
}

async function untilQueuesEmpty({ platform, fail }: FaultContext): Promise<void> {
  let emptyPolls = 0;
  for (const deadline = performance.now() + EMPTY_TIMEOUT_MS; emptyPolls < EMPTY_POLLS; ) {
    if (performance.now() > deadline) return fail("the queues did not become empty after the replay");
    const queues = (await callManagement(platform, "GET", "queues/%2F")) as {
      name: string;
      messages?: number;
    }[];
    const waiting = queues.filter(({ name }) => name === "webhooks.events" || name === "webhooks.deliveries");
    emptyPolls = waiting.every(({ messages }) => messages === 0) ? emptyPolls + 1 : 0;
    await sleep(POLL_MS);
  }
  await platform.untilReady();
}
