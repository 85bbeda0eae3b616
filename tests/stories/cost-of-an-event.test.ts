// The costs of an order, a redirect with its webhooks, and a request: round trips to Postgres, statements, rows, WAL, messages and lines of
// the log, counted and never timed, compared with tools/checks/event-costs.json. docs/performance.md has the same table.
//
// `npm test -- cost-of-an-event` runs only this. It writes what each count consists of, such as the statements and the records of the
// WAL, to .cache/event-costs.txt. `RECORD_EVENT_COSTS=true npm test -- cost-of-an-event` writes the table.
import { randomUUID } from "node:crypto";
import { setTimeout } from "node:timers/promises";
import { until } from "@tradepost/testing";
import { startCountedPlatform } from "../support/counted-platform.ts";
import { dataOf } from "../support/data-of.ts";
import { AT_REST, compareWithTable, costOf, isAsInTable } from "../support/event-costs.ts";

// These runs open connections, prepare statements and make plans.
const RUNS_BEFORE = 6;
const RUNS = 20;
const REST_SECONDS = 6;
const TRIES = 3;

const platform = await startCountedPlatform();
const receiver = await platform.startReceiver();
receiver.behave(({ path, headers }) =>
  path.startsWith("/failing") && headers["x-service-attempt"] === "1" ? 500 : 200,
);
afterAll(() => platform.stop());

test("an event, a retry and a second at rest cost what the table says", async () => {
  const shop = await startOrdering();
  const events = {
    "an order": shop.order,
    "a redirect with one webhook": await startRedirecting("/one", 1, 1),
    "a redirect with ten webhooks": await startRedirecting("/ten", 10, 1),
    "a redirect whose webhook is sent twice": await startRedirecting("/failing", 1, 2),
    "reading an order": shop.read,
  };
  for (const once of Object.values(events)) await platform.measure(RUNS_BEFORE, once);
  const rest = await measureRest();
  const costs = new Map<string, ReturnType<typeof costOf>>();
  for (const [what, once] of Object.entries(events)) {
    // On a busy machine, work that comes together is done in more steps.
    for (let tries = 0; tries < TRIES && !isAsInTable(what, costs.get(what) ?? new Map()); tries += 1)
      costs.set(what, costOf(await platform.measure(RUNS, once), rest));
  }
  compareWithTable(costs.set(AT_REST, costOf({ ...rest, times: REST_SECONDS })));
});

/** Returns the quieter of two windows: the other may have work that is done once a minute, or for the last webhooks. */
async function measureRest() {
  const window = () => platform.measure(1, () => setTimeout(REST_SECONDS * 1_000));
  const [first, second] = [await window(), await window()];
  return (first.passed.counts.get("all") ?? 0) < (second.passed.counts.get("all") ?? 0) ? first : second;
}

async function startOrdering() {
  const { key, customerId } = await platform.createTenant();
  const items = [1, 2, 3].map((line) => ({
    ...{ sku: `TSHIRT-${line}`, name: `T-shirt, size ${line}`, quantity: line },
    ...{ unitPrice: 19.99, taxAmount: 1.6 },
  }));
  const shippingAddress = {
    line1: "Mannerheimintie 1",
    city: "Helsinki",
    postalCode: "00100",
    country: "FI",
  };
  const order = { customerId, currency: "EUR", channel: "storefront", items, shippingAddress };
  const place = async () =>
    dataOf(await key.post("/v1/orders", order, { "idempotency-key": randomUUID() }), 201);
  const { id } = await place();
  return {
    order: async () => void (await place()),
    read: async () => void dataOf(await key.get(`/v1/orders/${id}`), 200),
  };
}

/** Returns a function that adds a redirect, and waits until each endpoint has received it `attempts` times. */
async function startRedirecting(base: string, endpoints: number, attempts: number) {
  const { key, subscribe } = await platform.createTenant();
  for (let number = 1; number <= endpoints; number += 1) await subscribe(`${receiver.url}${base}/${number}`);
  let expected = 0;
  return async () => {
    expected += endpoints * attempts;
    const redirect = { from: `/old/${randomUUID()}`, to: "/shop", type: 301 };
    dataOf(await key.post("/v1/redirects", redirect), 201);
    await until(
      "the webhooks",
      () => receiver.received.filter(({ path }) => path.startsWith(`${base}/`)).length >= expected,
    );
  };
}
