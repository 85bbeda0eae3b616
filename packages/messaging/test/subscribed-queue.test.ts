// When a subscribed queue requests a replay: each time it is created, after it is bound.
import { afterEach, beforeEach, describe, expect, test } from "@jest/globals";
import { declareParkingQueue, declareSubscribedQueue, EVENTS_EXCHANGE } from "@tradepost/messaging";
import { createTestBroker, type TestBroker, until } from "@tradepost/testing";
import { type Channel, type ChannelModel, type ConsumeMessage, connect } from "amqplib";
import { openRawBroker, type RawBroker } from "./support/raw-broker.ts";

const QUEUE = "test.events";
// Each binding takes a round trip, so a request that is sent too early would arrive before the last binding.
const ROUTING_KEYS = Array.from({ length: 300 }, (_, number) => `test.type-${number}`);

describe("a subscribed queue", () => {
  let broker: TestBroker;
  let raw: RawBroker;
  let connection: ChannelModel;
  let channel: Channel;
  let requests: ConsumeMessage[];

  beforeEach(async () => {
    broker = await createTestBroker();
    raw = await openRawBroker(broker.amqpUrl);
    connection = await connect(broker.amqpUrl);
    channel = await connection.createChannel();
    await declareParkingQueue(channel, "test.poison");
    await raw.channel.assertExchange("platform.replay", "topic", { durable: true });
    requests = await raw.capture("platform.replay", "#");
  });

  afterEach(async () => {
    await connection.close();
    await raw.close();
    await broker.drop();
  });

  const declare = (routingKeys: readonly string[] = ["#"]) =>
    declareSubscribedQueue(channel, connection, {
      queue: QUEUE,
      poisonQueue: "test.poison",
      exchange: EVENTS_EXCHANGE,
      routingKeys,
    });

  test("requests a replay after it is bound, so that an event published for the request reaches it", async () => {
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

  test("requests a replay each time it is created, and not when it exists", async () => {
    for (const _ of [1, 2, 3]) await declare();
    await channel.deleteQueue(QUEUE);
    for (const _ of [1, 2, 3]) await declare();
    await channel.deleteQueue(QUEUE);
    await declare();
    await until("three requests", () => requests.length >= 3);
    expect(requests.length).toBe(3);
  });

  test("requests a replay if it exists without its marker, because its creator may have died before the request", async () => {
    await channel.assertQueue(QUEUE, {
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

  test("requests a replay if only the marker of an earlier queue exists", async () => {
    await channel.assertExchange(`${QUEUE}.known`, "fanout", { durable: true, autoDelete: true });
    await declare();
    await until("the request", () => requests.length === 1);
  });
});
