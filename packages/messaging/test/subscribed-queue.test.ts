// When a subscribed queue requests a replay: each time it is created, after it is bound.
import { declareParkingQueue, declareSubscribedQueue, EVENTS_EXCHANGE } from "@tradepost/messaging";
import { until } from "@tradepost/testing";
import { openBroker, testWith } from "./support/open-servers.ts";

const QUEUE = "test.events";
// Each binding takes a round trip, so a request that is sent too early would arrive before the last binding.
const ROUTING_KEYS = Array.from({ length: 300 }, (_, number) => `test.type-${number}`);

const test = testWith(async (ended) => {
  const { raw } = await openBroker(ended);
  await declareParkingQueue(raw.channel, "test.poison");
  const requests = await raw.capture("platform.replay", "#");
  const declare = (routingKeys: readonly string[] = ["#"]) =>
    declareSubscribedQueue(raw.channel, raw.connection, {
      queue: QUEUE,
      poisonQueue: "test.poison",
      exchange: EVENTS_EXCHANGE,
      routingKeys,
    });
  return { raw, requests, declare };
});

describe("a subscribed queue", () => {
  test("requests a replay after it is bound, so that an event published for the request reaches it", async (fixture) => {
    const { raw, requests, declare } = fixture;
    const returned: unknown[] = [];
    raw.channel.on("return", (message) => returned.push(message));
    const published = until("the request", () => requests.length > 0).then(async () => {
      const key = ROUTING_KEYS.at(-1) ?? "";
      raw.channel.publish(EVENTS_EXCHANGE, key, Buffer.from("again"), { mandatory: true });
      await raw.channel.waitForConfirms();
    });
    await declare(ROUTING_KEYS);
    await published;
    expect(returned).toEqual([]);
    expect(requests.map(({ fields }) => fields.routingKey)).toEqual([EVENTS_EXCHANGE]);
  });

  test("requests a replay each time it is created, and not when it exists", async ({
    raw,
    requests,
    declare,
  }) => {
    for (const _ of [1, 2, 3]) await declare();
    await raw.channel.deleteQueue(QUEUE);
    for (const _ of [1, 2, 3]) await declare();
    await raw.channel.deleteQueue(QUEUE);
    await declare();
    await until("three requests", () => requests.length >= 3);
    expect(requests.length).toBe(3);
  });

  test("requests a replay if it exists without its marker, because its creator may have died before the request", async (fixture) => {
    const { raw, requests, declare } = fixture;
    await raw.channel.assertQueue(QUEUE, {
      durable: true,
      arguments: {
        "x-queue-type": "quorum",
        "x-delivery-limit": 20,
        "x-dead-letter-exchange": "test.queues",
        "x-dead-letter-routing-key": "test.poison",
        "x-dead-letter-strategy": "at-least-once",
        "x-overflow": "reject-publish",
      },
    });
    await declare();
    await until("the request", () => requests.length === 1);
  });

  test("requests a replay if only the marker of an earlier queue exists", async ({
    raw,
    requests,
    declare,
  }) => {
    await raw.channel.assertExchange(`${QUEUE}.known`, "fanout", { durable: true, autoDelete: true });
    await declare();
    await until("the request", () => requests.length === 1);
  });
});
