// How the consumer treats a message by its handler's result, and recovers when its queue or its connection is lost.
import { type ConsumeResult, declareParkingQueue, type IncomingMessage } from "@tradepost/messaging";
import { until } from "@tradepost/testing";
import type { Channel } from "amqplib";
import { openBroker, openConsumer, testWith } from "./support/open-servers.ts";

const QUEUE = "work";
const POISON_QUEUE = "poison";
// Far below production's limit, so that a few returns to the broker would exceed it.
const DELIVERY_LIMIT = 2;
const PREFETCH = 5;

async function declare(channel: Channel): Promise<void> {
  await declareParkingQueue(channel, POISON_QUEUE);
  await channel.assertQueue(QUEUE, {
    durable: true,
    arguments: {
      "x-queue-type": "quorum",
      "x-delivery-limit": DELIVERY_LIMIT,
      "x-dead-letter-exchange": "",
      "x-dead-letter-routing-key": POISON_QUEUE,
    },
  });
}

// The tests run at the same time, because they mostly wait.
const test = testWith(setUp);

describe("the consumer", () => {
  test("passes content, id and headers to the handler, and removes an acknowledged message", async (fixture) => {
    const { raw, handled, leftAfterStop } = fixture;
    raw.channel.sendToQueue(QUEUE, Buffer.from("hello"), { messageId: "m-1", headers: { tenant_id: "t-1" } });
    await until("the message", () => handled.length === 1);
    expect(handled).toEqual([
      {
        content: Buffer.from("hello"),
        countReady: expect.any(Function),
        messageId: "m-1",
        headers: expect.objectContaining({ tenant_id: "t-1" }),
      },
    ]);
    expect(await leftAfterStop()).toEqual([]);
    expect(handled.length).toBe(1);
  });

  test("moves a rejected message to the poison queue unchanged", async (fixture) => {
    const { raw, handled, leftAfterStop, handleWith } = fixture;
    handleWith(async () => "reject");
    await raw.send(QUEUE, "gibberish", "m-2");
    await until("the poison queue", async () => (await raw.ready(POISON_QUEUE)) === 1);
    const poison = await raw.channel.get(POISON_QUEUE, { noAck: true });
    expect(poison).toMatchObject({ content: Buffer.from("gibberish"), properties: { messageId: "m-2" } });
    expect(handled.length).toBe(1);
    expect(await leftAfterStop()).toEqual([]);
  });

  test("retries a message more often than the delivery limit, because it does not return it to the broker", async (fixture) => {
    const { raw, handled, leftAfterStop, handleWith } = fixture;
    const triesWanted = DELIVERY_LIMIT + 3;
    handleWith(async () => (handled.length < triesWanted ? "retry" : "ack"));
    await raw.send(QUEUE, "stubborn");
    await until("the last try", () => handled.length === triesWanted);
    // The header counts redeliveries by the broker.
    expect(handled.map(({ headers }) => headers["x-delivery-count"] ?? 0)).toEqual(handled.map(() => 0));
    expect(await leftAfterStop()).toEqual([]);
    expect(await raw.ready(POISON_QUEUE)).toBe(0);
  });

  test("calls a handler that throws again, and handles other messages meanwhile", async (fixture) => {
    const { raw, handled, leftAfterStop, handleWith } = fixture;
    handleWith(async ({ content }) => {
      if (content.toString() === "bad" && handled.length < 4) throw new Error("the database is down");
      return "ack";
    });
    await raw.send(QUEUE, "bad");
    await raw.send(QUEUE, "good");
    await until("both", () => handled.filter(({ content }) => content.toString() === "bad").length >= 3);
    expect(handled.filter(({ content }) => content.toString() === "good").length).toBe(1);
    expect(await leftAfterStop()).toEqual([]);
  });

  test("has at most `prefetch` messages in flight", async ({ raw, handled, handleWith }) => {
    const gate = Promise.withResolvers<void>();
    handleWith(async () => gate.promise.then(() => "ack"));
    for (let number = 1; number <= 8; number += 1) await raw.send(QUEUE, `m-${number}`);
    await until("five in flight", () => handled.length >= 5);
    expect(await raw.ready(QUEUE)).toBe(3);
    expect(handled.length).toBe(5);
    gate.resolve();
    await until("the rest", () => handled.length === 8);
  });

  test("declares a deleted queue again, and goes on when somebody else declares it first", async (fixture) => {
    const { raw, handled, consumer } = fixture;
    const deleteOne = () => raw.channel.deleteQueue(QUEUE);
    const replaceOne = () => Promise.all([deleteOne(), declare(raw.channel)]);
    for (const [round, change] of [deleteOne, replaceOne, replaceOne].entries()) {
      await change();
      // A message sent before the queue exists again is lost or refused; a later one arrives.
      await until("a message", async () => {
        await raw.send(QUEUE, `m-${round}`).catch(() => undefined);
        return handled.some(({ content }) => content.toString() === `m-${round}`);
      });
      expect(consumer.isUp()).toBe(true);
    }
  });

  test("ignores the result of a message from before the connection was lost, which is redelivered", async (fixture) => {
    const { raw, handled, proxy, leftAfterStop, handleWith } = fixture;
    const gate = Promise.withResolvers<void>();
    handleWith(async () => (handled.length === 1 ? gate.promise.then(() => "ack" as const) : "ack"));
    await raw.send(QUEUE, "twice");
    await until("the message", () => handled.length === 1);
    proxy.reset();
    await until("the message again", () => handled.length === 2);
    gate.resolve();
    await raw.send(QUEUE, "next");
    await until("the next message", () => handled.length === 3);
    expect(handled.map(({ content }) => content.toString())).toEqual(["twice", "twice", "next"]);
    expect(await leftAfterStop()).toEqual([]);
  });

  test("receives nothing new during a stop, which waits for the messages in flight", async (fixture) => {
    const { raw, handled, consumer, handleWith } = fixture;
    const gate = Promise.withResolvers<void>();
    handleWith(async () => gate.promise.then(() => "ack"));
    await raw.send(QUEUE, "in flight");
    await until("the message", () => handled.length === 1);
    let hasStopped = false;
    const stopping = consumer.stop().then(() => {
      hasStopped = true;
    });
    // The consumer receives messages until the broker has removed it. Then a message stays in the queue.
    const sent = ["in flight"];
    await until("the broker to remove its consumer", async () => {
      const content = `m-${sent.length}`;
      await raw.send(QUEUE, content);
      sent.push(content);
      return (await raw.ready(QUEUE)) > 0;
    });
    const received = handled.length;
    await raw.send(QUEUE, "too late");
    expect(hasStopped).toBe(false);
    gate.resolve();
    await stopping;
    expect(received).toBeLessThan(PREFETCH);
    expect(handled.map(({ content }) => content.toString())).toEqual(sent.slice(0, received));
    expect(await raw.drain(QUEUE)).toEqual([...sent.slice(received), "too late"]);
  });

  test("returns a message that is still being retried when it stops", async (fixture) => {
    const { raw, handled, consumer, handleWith } = fixture;
    handleWith(async () => "retry");
    await raw.send(QUEUE, "not now");
    await until("a second try", () => handled.length >= 2);
    await consumer.stop();
    await until("the message in the queue", async () => (await raw.ready(QUEUE)) === 1);
  });

  test("stops while the broker is unreachable", async ({ proxy, consumer }) => {
    await proxy.refuse();
    await until("the consumer to notice", () => !consumer.isUp());
    await consumer.stop();
    expect(consumer.isUp()).toBe(false);
    await proxy.restore();
  });
});

/** A consumer that acknowledges each message, unless the test sets another handler, with its own broker. */
async function setUp(ended: AsyncDisposableStack) {
  const { proxy, raw } = await openBroker(ended);
  const handled: IncomingMessage[] = [];
  let handle = async (_message: IncomingMessage): Promise<ConsumeResult> => "ack";
  const consumer = openConsumer(ended, {
    url: proxy.url,
    queue: QUEUE,
    prefetch: PREFETCH,
    declare,
    checkEveryMs: 500,
    handle: (message) => {
      handled.push(message);
      return handle(message);
    },
  });
  await consumer.whenUp();
  return {
    handled,
    raw,
    proxy,
    consumer,
    handleWith: (wanted: typeof handle) => {
      handle = wanted;
    },
    /** The contents that are in the queue after the consumer has stopped. */
    leftAfterStop: async () => {
      await consumer.stop();
      return await raw.drain(QUEUE);
    },
  };
}
