// The arguments of every kind of queue as the broker has them: what guards against loss must not be missing there, and
// the broker takes a misspelt argument without a word.
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import {
  declareExchange,
  declareKeptQueue,
  declareRetryQueue,
  declareWorkQueue,
  EVENTS_EXCHANGE,
} from "@tradepost/messaging";
import { createTestBroker, type TestBroker } from "@tradepost/testing";
import { openRawBroker, type RawBroker } from "./support/raw-broker.ts";

interface Declared {
  type: string;
  durable: boolean;
  arguments: object;
}

describe("topology", () => {
  let broker: TestBroker;
  let raw: RawBroker;

  beforeAll(async () => {
    broker = await createTestBroker();
    raw = await openRawBroker(broker.amqpUrl);
    // Twice: declaring what is there already changes nothing and fails nothing.
    for (const _ of [1, 2]) {
      await declareKeptQueue(raw.channel, "kept");
      await declareWorkQueue(raw.channel, "work", "kept");
      await declareRetryQueue(raw.channel, "retry.5m", 300_000, "work");
      await declareExchange(raw.channel, "platform.events");
    }
  });

  afterAll(async () => {
    await raw.close();
    await broker.drop();
  });

  /** Of all that the management API tells, what was declared. */
  const declared = async (path: string) => {
    const { type, durable, arguments: given } = (await broker.manage("GET", path)) as Declared;
    return { type, durable, arguments: given };
  };

  test("a work queue counts deliveries and dead-letters, at least once, to its poison queue", async () => {
    expect(await declared("/queues/work")).toEqual({
      type: "quorum",
      durable: true,
      arguments: {
        "x-queue-type": "quorum",
        "x-delivery-limit": 20,
        "x-dead-letter-exchange": "",
        "x-dead-letter-routing-key": "kept",
        "x-dead-letter-strategy": "at-least-once",
        "x-overflow": "reject-publish",
      },
    });
  });

  test("a retry queue waits its time and dead-letters, at least once, to its target", async () => {
    expect(await declared("/queues/retry.5m")).toEqual({
      type: "quorum",
      durable: true,
      arguments: {
        "x-queue-type": "quorum",
        "x-message-ttl": 300_000,
        "x-dead-letter-exchange": "",
        "x-dead-letter-routing-key": "work",
        "x-dead-letter-strategy": "at-least-once",
        "x-overflow": "reject-publish",
      },
    });
  });

  test("a kept queue outlives any number of looks and lets nothing go", async () => {
    expect(await declared("/queues/kept")).toEqual({
      type: "quorum",
      durable: true,
      arguments: {
        "x-queue-type": "quorum",
        "x-delivery-limit": 1_000_000,
        "x-overflow": "reject-publish",
      },
    });
  });

  test("the events' exchange is a durable topic exchange", async () => {
    expect(await declared(`/exchanges/${EVENTS_EXCHANGE}`)).toEqual({
      type: "topic",
      durable: true,
      arguments: {},
    });
  });
});
