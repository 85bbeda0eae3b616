// The queues as the broker reports them: names, types, arguments and bindings (interface §8).
import { subscribableTypes } from "@tradepost/event-catalog";
import { useSharedWebhooks } from "./support/use-webhooks.ts";

const WORK = {
  "x-queue-type": "quorum",
  "x-delivery-limit": 20,
  "x-dead-letter-exchange": "webhooks.queues",
  "x-dead-letter-routing-key": "webhooks.poison",
  "x-dead-letter-strategy": "at-least-once",
  "x-overflow": "reject-publish",
};
const PARKING = { "x-queue-type": "quorum", "x-delivery-limit": 1_000_000, "x-overflow": "reject-publish" };
const { "x-delivery-limit": _, ...RETRY } = { ...WORK, "x-dead-letter-routing-key": "webhooks.deliveries" };
const retryOf = (minutes: number) => ({ ...RETRY, "x-message-ttl": minutes * 60_000 });

const { webhooks } = useSharedWebhooks();

type DeclaredQueue = { name: string; type: string; durable: boolean; arguments: object };
const declared = async () => (await webhooks.broker.manage("GET", "/queues")) as DeclaredQueue[];

test("are durable quorum queues with these names and arguments", async () => {
  const queues = await declared();
  expect(queues.filter(({ type, durable }) => type !== "quorum" || !durable)).toEqual([]);
  expect(Object.fromEntries(queues.map((queue) => [queue.name, queue.arguments]))).toEqual({
    "webhooks.events": WORK,
    "webhooks.deliveries": WORK,
    "webhooks.retry.1m": retryOf(1),
    "webhooks.retry.5m": retryOf(5),
    "webhooks.retry.15m": retryOf(15),
    "webhooks.retry.30m": retryOf(30),
    "webhooks.retry.1h": retryOf(60),
    "webhooks.retry.2h": retryOf(120),
    "webhooks.retry.4h": retryOf(240),
    "webhooks.dead": PARKING,
    "webhooks.poison": PARKING,
    "webhooks.replay": PARKING,
    "webhooks.tallies": { ...PARKING, "x-max-length": 1_500 },
  });
});

test("are bound to the ten subscribable types and the tallies, and nothing else", async () => {
  const bindings = (await webhooks.broker.manage("GET", "/bindings")) as Record<string, string>[];
  const bound = bindings
    .filter(({ source }) => source === "platform.events")
    .map(({ source, destination, routing_key }) => `${source} ${routing_key} ${destination}`);
  expect(subscribableTypes.length).toBe(10);
  expect(bound.sort()).toEqual(
    [
      ...subscribableTypes.map((type) => `platform.events ${type} webhooks.events`),
      "platform.events content.tally webhooks.tallies",
    ].sort(),
  );
});

test("of a changed schedule exist next to those of the old one", async () => {
  await webhooks.restart({ WEBHOOKS_RETRY_SCHEDULE: "1m, 90s,90s" });
  const queues = await declared();
  const names = queues.map(({ name }) => name).filter((name) => name.startsWith("webhooks.retry."));
  expect(names.length).toBe(8);
  expect(queues.find(({ name }) => name === "webhooks.retry.90s")?.arguments).toEqual(retryOf(1.5));
});
