// When a subscribed queue requests a replay: each time it is created, after it is bound.
import { afterEach, beforeEach, describe, expect, test } from "@jest/globals";
import { declareParkingQueue, declareSubscribedQueue, EVENTS_EXCHANGE } from "@tradepost/messaging";
import { createTestBroker, type TestBroker, until } from "@tradepost/testing";
import { type Channel, type ChannelModel, type ConsumeMessage, connect } from "amqplib";
import { openRawBroker, type RawBroker } from "./support/raw-broker.ts";

const QUEUE = "test.events";
// Each binding takes a round trip, which is ample time to catch a request that comes before the last.
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
    requests = await raw.tap("platform.replay", "#");
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

  test("asks once it is bound: an event that is published because of the request reaches it", async () => {
    const returned: unknown[] = [];
    raw.channel.on("return", (message) => returned.push(message));
    const asked = until("the request", () => requests.length > 0).then(async () => {
      const key = ROUTING_KEYS.at(-1) ?? "";
      raw.channel.publish(EVENTS_EXCHANGE, key, Buffer.from("again"), { mandatory: true });
      await raw.channel.waitForConfirms();
    });
    await declare(ROUTING_KEYS);
    await asked;
    expect(returned).toEqual([]);
    expect(requests.map(({ fields }) => fields.routingKey)).toEqual([EVENTS_EXCHANGE]);
  });

  test("asks again when it was deleted, and not before", async () => {
    for (const _ of [1, 2, 3]) await declare();
    await channel.deleteQueue(QUEUE);
    for (const _ of [1, 2, 3]) await declare();
    await channel.deleteQueue(QUEUE);
    await declare();
    await until("three requests", () => requests.length >= 3);
    expect(requests.length).toBe(3);
  });

  test("asks where it exists already, and whoever declared it may have died before asking", async () => {
    await channel.assertQueue(QUEUE, {
      durable: true,
      arguments: {
        "x-queue-type": "quorum",
        "x-delivery-limit": 20,
        "x-dead-letter-exchange": "",
        "x-dead-letter-routing-key": "test.poison",
        "x-dead-letter-strategy": "at-least-once",
        "x-overflow": "reject-publish",
      },
    });
    await declare();
    await until("the request", () => requests.length === 1);
  });

  test("asks where only the marker is left of an earlier one", async () => {
    await channel.assertExchange(`${QUEUE}.known`, "fanout", { durable: true, autoDelete: true });
    await declare();
    await until("the request", () => requests.length === 1);
  });
});
