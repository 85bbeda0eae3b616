// A tenant sends a host no more requests a second than the limit: over all of its subscriptions there, and from all processes.
import { until } from "@tradepost/testing";
import { useSharedWebhooks } from "./support/use-webhooks.ts";

const PER_SECOND_MAX = 40;
const SUBSCRIPTIONS = 40;
const EVENTS = 6;
const DELIVERIES = SUBSCRIPTIONS * EVENTS;

const { webhooks, receiver, tenant } = useSharedWebhooks({
  WEBHOOKS_HOST_PER_SECOND_MAX: `${PER_SECOND_MAX}`,
  WEBHOOKS_RETRY_SCHEDULE: "1s,1s,1s,1s,1s",
});

const COUNT = "select count(*)::int, min(seen_at) as first, max(seen_at) as last from dispatchers";
const seen = async () => (await webhooks.query(COUNT))[0] as { count: number; first: Date; last: Date };

test("40 subscriptions to one host, on two processes, send it the limit, and delay no other host", async () => {
  await webhooks.startReplica();
  const { count, last } = await seen();
  expect(count).toBe(2);
  await until("the first process to notice the second", async () => (await seen()).first > last);
  for (let index = 0; index < SUBSCRIPTIONS; index += 1) await tenant.subscribe(`/${index}`);
  const elsewhere = `${receiver.url.replace("localhost", "127.0.0.1")}/elsewhere`;
  await tenant.subscribe(elsewhere);

  const from = Date.now();
  await tenant.emitMany(EVENTS);
  // The first request of each delivery. On a busy machine an attempt may fail and be repeated, so that its request is the last.
  const firsts = () => [
    ...new Map(
      receiver.received.toReversed().map((one) => [one.headers["x-service-delivery"], one] as const),
    ).values(),
  ];
  await until("every delivery", () => firsts().length === DELIVERIES + EVENTS);
  const inOrder = firsts().toSorted((a, b) => a.at.getTime() - b.at.getTime());
  const isLimited = ({ path }: { path: string }) => path !== "/elsewhere";
  const early = inOrder.slice(0, DELIVERIES).filter((one) => !isLimited(one));
  expect(early.length).toBeGreaterThan(EVENTS / 2);
  const times = inOrder.filter(isLimited).map(({ at }) => at.getTime());
  // There are six times as many requests as one second allows. After a pause, a busy machine may send the requests of more than
  // a second at once.
  expect((times.at(-1) ?? 0) - from).toBeGreaterThan(5_000);
  const inSecondFrom = times.map((at) => times.filter((other) => other >= at && other < at + 1_000).length);
  expect(Math.max(...inSecondFrom)).toBeLessThan(3 * PER_SECOND_MAX);
});
