// A replay does not hold up new events of the tenant's other subscriptions at the same host (interface §18).
import { sleep } from "@tradepost/runtime";
import { until } from "@tradepost/testing";
import { useWebhooks } from "./support/use-webhooks.ts";

const EVENTS = 60;
const RESPONSE_MS = 50;
// The endpoints take turns, and one attempt of the replay may have started before the new event.
const AHEAD_MAX = 3;

// One attempt at a time in the lane of endpoints that have responded.
const { receiver, tenant } = useWebhooks({ WEBHOOKS_CONCURRENCY: "2" });

test("a new event is sent while the replay of another subscription fills the lane", async () => {
  const replayed = await tenant.subscribe("/replayed");
  const live = await tenant.subscribe("/live", ["redirect.removed"]);
  await tenant.emit({}, { type: "redirect.removed" });
  await tenant.emitMany(EVENTS);
  await until("all deliveries", () => receiver.received.length === EVENTS + 1);
  for (const { id } of [replayed, live]) await tenant.untilAll(id, "delivered");
  receiver.received.length = 0;
  receiver.behave(() => (res) => void sleep(RESPONSE_MS).then(() => res.writeHead(200).end()));
  await tenant.replay(replayed.id, "all");
  await until("its first request", () => receiver.received.length > 0);
  const eventId = await tenant.emit({}, { type: "redirect.removed" });
  await until("the delivery", async () =>
    (await tenant.deliveries(live.id)).some((one) => one.eventId === eventId),
  );
  const before = receiver.received.length;
  await until("all requests", () => receiver.received.length === EVENTS + 1);
  const position = receiver.received.findIndex(({ path }) => path === "/live");
  expect(before).toBeLessThan(EVENTS - AHEAD_MAX);
  expect(position).toBeLessThan(before + AHEAD_MAX);
});
