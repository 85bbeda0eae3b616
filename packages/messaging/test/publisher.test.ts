// What the publisher says of each message: confirmed, unroutable, refused, unencodable or unavailable; it never throws
// and never leaves one without an answer, whatever becomes of the link.
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "@jest/globals";
import {
  declareParkingQueue,
  declareWorkQueue,
  type OutgoingMessage,
  type Publisher,
  queueExchange,
  startPublisher,
} from "@tradepost/messaging";
import { createLogger } from "@tradepost/runtime";
import {
  createTestBroker,
  type FaultProxy,
  startFaultProxy,
  type TestBroker,
  until,
} from "@tradepost/testing";
import type { Channel, ChannelModel } from "amqplib";
import { openRawBroker, type RawBroker } from "./support/raw-broker.ts";

const QUEUE = "test.work";
const FULL_QUEUE = "test.full";

async function declare(channel: Channel, connection: ChannelModel): Promise<void> {
  await declareParkingQueue(channel, "test.poison");
  await declareWorkQueue(channel, connection, QUEUE, "test.poison");
  // Classic, because a quorum queue takes a few more than its length before it refuses.
  await channel.assertQueue(FULL_QUEUE, {
    durable: true,
    arguments: { "x-queue-type": "classic", "x-max-length": 1, "x-overflow": "reject-publish" },
  });
  await channel.bindQueue(FULL_QUEUE, queueExchange(FULL_QUEUE), FULL_QUEUE);
}

function messageTo(routingKey: string, differing: Partial<OutgoingMessage> = {}): OutgoingMessage {
  const messageId = randomUUID();
  return {
    exchange: queueExchange(QUEUE),
    routingKey,
    messageId,
    mandatory: true,
    content: Buffer.from(`"${messageId}"`),
    ...differing,
  };
}

describe("the publisher", () => {
  let broker: TestBroker;
  let proxy: FaultProxy;
  let raw: RawBroker;
  let publisher: Publisher;

  beforeAll(async () => {
    broker = await createTestBroker();
    proxy = await startFaultProxy(broker.amqpUrl);
    raw = await openRawBroker(broker.amqpUrl);
    const logger = createLogger("test", "silent");
    publisher = startPublisher({ url: proxy.url, name: "test.publisher", logger, declare });
  });

  beforeEach(async () => {
    await publisher.whenUp();
    await raw.channel.purgeQueue(QUEUE);
  });

  afterAll(async () => {
    await publisher.stop();
    await raw.close();
    await proxy.stop();
    await broker.drop();
  });

  test("says confirmed of a message that lies persistent in its queue", async () => {
    const message = messageTo(QUEUE, { type: "test.sent", headers: { tenant_id: "t-1", attempt: 2 } });
    expect(await publisher.publish(message)).toBe("confirmed");
    const got = await raw.channel.get(QUEUE, { noAck: true });
    expect(got).toMatchObject({
      content: message.content,
      properties: {
        deliveryMode: 2,
        contentType: "application/json",
        messageId: message.messageId,
        type: "test.sent",
        headers: { tenant_id: "t-1", attempt: 2 },
      },
    });
  });

  test("says unroutable of a message that must find a queue and finds none, of that one alone", async () => {
    const outcomes = [messageTo(QUEUE), messageTo("nowhere"), messageTo(QUEUE), messageTo("nowhere")];
    expect(await Promise.all(outcomes.map(publisher.publish))).toEqual([
      "confirmed",
      "unroutable",
      "confirmed",
      "unroutable",
    ]);
    expect(await publisher.publish(messageTo("nowhere", { mandatory: false }))).toBe("confirmed");
  });

  test("says refused of a message that its full queue does not take", async () => {
    expect(await publisher.publish(messageTo(FULL_QUEUE))).toBe("confirmed");
    expect(await publisher.publish(messageTo(FULL_QUEUE))).toBe("refused");
    expect(await raw.ready(FULL_QUEUE)).toBe(1);
    expect(publisher.isUp()).toBe(true);
  });

  test("says unencodable of a message that fits no frame, and confirms its neighbours' own fate", async () => {
    const headers = { tenant_id: "t-1", traceparent: "x".repeat(70_000) };
    const messages = [
      messageTo(QUEUE),
      messageTo(QUEUE, { headers }),
      messageTo("nowhere"),
      messageTo("x".repeat(300)),
      messageTo(QUEUE),
    ];
    expect(await Promise.all(messages.map(publisher.publish))).toEqual([
      "confirmed",
      "unencodable",
      "unroutable",
      "unencodable",
      "confirmed",
    ]);
    expect(await raw.ready(QUEUE)).toBe(2);
  });

  test("says unavailable of what is sent to an exchange that is not there, and is up again after", async () => {
    const lost = await Promise.all([
      publisher.publish(messageTo(QUEUE, { exchange: "no.such.exchange" })),
      publisher.publish(messageTo(QUEUE, { exchange: "no.such.exchange" })),
    ]);
    expect(lost).toEqual(["unavailable", "unavailable"]);
    await publisher.whenUp();
    expect(await publisher.publish(messageTo(QUEUE))).toBe("confirmed");
  });

  test("says unavailable while the broker is away, at once, and works again when it is back", async () => {
    await proxy.refuse();
    await until("the publisher to notice", () => !publisher.isUp());
    expect(await publisher.publish(messageTo(QUEUE))).toBe("unavailable");
    await proxy.mend();
    await publisher.whenUp();
    expect(publisher.isUp()).toBe(true);
    expect(await publisher.publish(messageTo(QUEUE))).toBe("confirmed");
  });

  test("says unavailable of what is in flight when the link breaks", async () => {
    proxy.swallow("responses");
    const inFlight = Array.from({ length: 50 }, () => publisher.publish(messageTo(QUEUE)));
    // Taken by the broker, and not known to be: this is where a second copy comes from.
    await until("the messages at the broker", async () => (await raw.ready(QUEUE)) === 50);
    await proxy.mend();
    expect(new Set(await Promise.all(inFlight))).toEqual(new Set(["unavailable"]));
  });

  test("says unavailable when no confirm comes for long, and begins a new connection", async () => {
    proxy.swallow();
    expect(await publisher.publish(messageTo(QUEUE))).toBe("unavailable");
    await proxy.mend();
    await publisher.whenUp();
    expect(await publisher.publish(messageTo(QUEUE))).toBe("confirmed");
  });

  test("declares a queue again that was deleted, once a message does not find it", async () => {
    await raw.channel.deleteQueue(QUEUE);
    expect(await publisher.publish(messageTo(QUEUE))).toBe("unroutable");
    await until("the queue", async () => (await publisher.publish(messageTo(QUEUE))) === "confirmed");
    expect(await raw.ready(QUEUE)).toBe(1);
  });

  test("is up again after 30 cuts at any moment of its life", async () => {
    for (let cuts = 0; cuts < 30; cuts += 1) {
      const publishing = publisher.publish(messageTo(QUEUE));
      proxy.cut();
      expect(["confirmed", "unavailable"]).toContain(await publishing);
      await publisher.publish(messageTo(QUEUE));
    }
    await until("a confirm", async () => (await publisher.publish(messageTo(QUEUE))) === "confirmed");
  });
});
