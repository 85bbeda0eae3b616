// The arguments of every kind of queue as the broker reports them. They guard against loss, and the broker silently accepts a misspelt
// argument.
import {
  declareParkingQueue,
  declareRetryQueue,
  declareSubscribedQueue,
  declareWorkQueue,
  EVENTS_EXCHANGE,
  maintainSharedExchanges,
  SHARED_EXCHANGES,
} from "@tradepost/messaging";
import { until } from "@tradepost/testing";
import { endedAfterAll, logger, openBroker, testWith } from "./support/open-servers.ts";

interface Declared {
  type: string;
  durable: boolean;
  arguments: object;
}

const { broker, raw } = await openBroker(endedAfterAll());
// Twice, because declaring an existing queue must succeed.
for (const _ of [1, 2]) {
  await declareParkingQueue(raw.channel, "test.parked");
  await declareWorkQueue(raw.channel, raw.connection, "test.work", "test.parked");
  await declareRetryQueue(raw.channel, raw.connection, "test.retry.5m", 300_000, "test.work");
}

describe("topology", () => {
  /** The declared part of what the management API reports. */
  const declared = async (path: string) => {
    const { type, durable, arguments: args } = (await broker.manage("GET", path)) as Declared;
    return { type, durable, arguments: args };
  };

  const deadLettering = {
    "x-dead-letter-exchange": "test.queues",
    "x-dead-letter-strategy": "at-least-once",
  };

  test.each([
    [
      "a work queue has a delivery limit and dead-letters at least once to its poison queue",
      "test.work",
      { "x-delivery-limit": 20, ...deadLettering, "x-dead-letter-routing-key": "test.parked" },
    ],
    [
      "a retry queue has a TTL and dead-letters at least once to its target",
      "test.retry.5m",
      { "x-message-ttl": 300_000, ...deadLettering, "x-dead-letter-routing-key": "test.work" },
    ],
    [
      "a parking queue keeps its messages however often they are viewed",
      "test.parked",
      { "x-delivery-limit": 1_000_000 },
    ],
  ])("%s", async (_what, queue, args) => {
    expect(await declared(`/queues/${queue}`)).toEqual({
      ...{ type: "quorum", durable: true },
      arguments: { "x-queue-type": "quorum", "x-overflow": "reject-publish", ...args },
    });
  });

  test("each queue is bound to its service's own exchange", async () => {
    expect(await declared("/exchanges/test.queues")).toEqual({
      type: "direct",
      durable: true,
      arguments: {},
    });
    for (const queue of ["test.work", "test.retry.5m", "test.parked"]) {
      const bindings = await broker.manage("GET", `/bindings/e/test.queues/q/${queue}`);
      expect(bindings).toMatchObject([{ routing_key: queue }]);
    }
  });

  test("rejects a queue with other arguments than any version's", async () => {
    await raw.channel.assertQueue("test.odd", { durable: true, arguments: { "x-queue-type": "quorum" } });
    await expect(declareWorkQueue(raw.channel, raw.connection, "test.odd", "test.parked")).rejects.toThrow(
      "queue test.odd exists with other arguments",
    );
  });

  test("maintains the shared exchanges: durable topic exchanges, declared again when one is deleted", async () => {
    for (const name of SHARED_EXCHANGES) await broker.manage("DELETE", `/exchanges/${name}`);
    const maintained = maintainSharedExchanges({ url: broker.amqpUrl, logger });
    try {
      await maintained.whenUp();
      for (const name of SHARED_EXCHANGES) {
        expect(await declared(`/exchanges/${name}`)).toEqual({ type: "topic", durable: true, arguments: {} });
      }
      await broker.manage("DELETE", `/exchanges/${SHARED_EXCHANGES[0]}`);
      await until("the exchange", () => declared(`/exchanges/${SHARED_EXCHANGES[0]}`).catch(() => false));
    } finally {
      await maintained.stop();
    }
  });
});

const QUEUE = "test.events";
// Each binding takes a round trip, so a request that is sent too early would arrive before the last binding.
const ROUTING_KEYS = Array.from({ length: 300 }, (_, number) => `test.type-${number}`);

const testSubscribed = testWith(async (ended) => {
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
  testSubscribed(
    "requests a replay after it is bound, so that an event published for the request reaches it",
    async (fixture) => {
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
    },
  );

  testSubscribed(
    "requests a replay each time it is created, and not when it exists",
    async ({ raw, requests, declare }) => {
      for (const _ of [1, 2, 3]) await declare();
      await raw.channel.deleteQueue(QUEUE);
      for (const _ of [1, 2, 3]) await declare();
      await raw.channel.deleteQueue(QUEUE);
      await declare();
      await until("three requests", () => requests.length >= 3);
      expect(requests.length).toBe(3);
    },
  );

  testSubscribed(
    "requests a replay if it exists without its marker, because its creator may have died before the request",
    async (fixture) => {
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
    },
  );

  testSubscribed(
    "requests a replay if only the marker of an earlier queue exists",
    async ({ raw, requests, declare }) => {
      await raw.channel.assertExchange(`${QUEUE}.known`, "fanout", { durable: true, autoDelete: true });
      await declare();
      await until("the request", () => requests.length === 1);
    },
  );
});
