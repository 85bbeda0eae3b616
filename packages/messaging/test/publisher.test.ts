// The outcome of each published message: confirmed, unroutable, refused, unencodable or unavailable. The publisher never
// throws, and resolves every message whatever happens to the connection.
import { randomUUID } from "node:crypto";
import { Socket } from "node:net";
import {
  declareParkingQueue,
  declareWorkQueue,
  type OutgoingMessage,
  queueExchange,
  startPublisher,
} from "@tradepost/messaging";
import { until } from "@tradepost/testing";
import type { Channel, ChannelModel } from "amqplib";
import { logger, openBroker, testWith } from "./support/open-servers.ts";

const QUEUE = "test.work";
const FULL_QUEUE = "test.full";

async function declare(channel: Channel, connection: ChannelModel): Promise<void> {
  await declareParkingQueue(channel, "test.poison");
  await declareWorkQueue(channel, connection, QUEUE, "test.poison");
  // Classic, because a quorum queue accepts a few messages more than its length.
  await channel.assertQueue(FULL_QUEUE, {
    durable: true,
    arguments: { "x-queue-type": "classic", "x-max-length": 1, "x-overflow": "reject-publish" },
  });
  await channel.bindQueue(FULL_QUEUE, queueExchange(FULL_QUEUE), FULL_QUEUE);
}

function messageTo(routingKey: string, overrides: Partial<OutgoingMessage> = {}): OutgoingMessage {
  const messageId = randomUUID();
  return {
    exchange: queueExchange(QUEUE),
    routingKey,
    messageId,
    mandatory: true,
    content: Buffer.from(`"${messageId}"`),
    ...overrides,
  };
}

// The tests run at the same time, because they mostly wait.
const test = testWith(setUp);
const testImpatient = testWith((ended) => setUp(ended, { confirmTimeoutMs: 2_000 }));

describe("the publisher", () => {
  test("confirms a message, which is persistent in its queue", async ({ raw, publisher }) => {
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

  test("writes the messages of one turn to the socket together", async ({ publisher }) => {
    const messages = Array.from({ length: 20 }, () => messageTo(QUEUE));
    const { _write } = Socket.prototype;
    let writtenAlone = 0;
    Socket.prototype._write = function (chunk: Buffer | string, ...rest) {
      if (messages.some(({ messageId }) => chunk.includes(messageId))) writtenAlone += 1;
      _write.call(this, chunk, ...rest);
    };
    const outcomes = await Promise.all(messages.map(publisher.publish)).finally(() => {
      Socket.prototype._write = _write;
    });
    expect(new Set(outcomes)).toEqual(new Set(["confirmed"]));
    expect(writtenAlone).toBeLessThan(3);
  });

  test("reports only the mandatory messages without a queue as unroutable", async ({ publisher }) => {
    const outcomes = [messageTo(QUEUE), messageTo("nowhere"), messageTo(QUEUE), messageTo("nowhere")];
    const wanted = ["confirmed", "unroutable", "confirmed", "unroutable"];
    expect(await Promise.all(outcomes.map(publisher.publish))).toEqual(wanted);
    expect(await publisher.publish(messageTo("nowhere", { mandatory: false }))).toBe("confirmed");
  });

  test("reports a message as refused when its queue is full", async ({ raw, publisher }) => {
    expect(await publisher.publish(messageTo(FULL_QUEUE))).toBe("confirmed");
    expect(await publisher.publish(messageTo(FULL_QUEUE))).toBe("refused");
    expect(await raw.ready(FULL_QUEUE)).toBe(1);
    expect(publisher.isUp()).toBe(true);
  });

  test("takes another channel for messages that stay refused", async ({ raw, publisher, sessions }) => {
    expect(await publisher.publish(messageTo(FULL_QUEUE))).toBe("confirmed");
    await until("another channel", async () => {
      expect(["refused", "unavailable"]).toContain(await publisher.publish(messageTo(FULL_QUEUE)));
      return sessions() === 2 && publisher.isUp();
    });
    await raw.channel.purgeQueue(FULL_QUEUE);
    expect(await publisher.publish(messageTo(FULL_QUEUE))).toBe("confirmed");
  });

  test("reports a message that fits no frame as unencodable, and others by their own outcomes", async (fixture) => {
    const { raw, publisher } = fixture;
    const headers = { tenant_id: "t-1", traceparent: "x".repeat(70_000) };
    const messages = [
      messageTo(QUEUE),
      messageTo(QUEUE, { headers }),
      messageTo("nowhere"),
      messageTo("x".repeat(300)),
      messageTo(QUEUE),
    ];
    const wanted = ["confirmed", "unencodable", "unroutable", "unencodable", "confirmed"];
    expect(await Promise.all(messages.map(publisher.publish))).toEqual(wanted);
    expect(await raw.ready(QUEUE)).toBe(2);
  });

  test("reports messages to an unknown exchange as unavailable, and recovers", async ({ publisher }) => {
    const lost = await Promise.all([
      publisher.publish(messageTo(QUEUE, { exchange: "no.such.exchange" })),
      publisher.publish(messageTo(QUEUE, { exchange: "no.such.exchange" })),
    ]);
    expect(lost).toEqual(["unavailable", "unavailable"]);
    await publisher.whenUp();
    expect(await publisher.publish(messageTo(QUEUE))).toBe("confirmed");
  });

  for (const when of ["at once while the broker is down", "when its confirm times out"])
    testImpatient(`reports a message as unavailable ${when}, and recovers`, async ({ proxy, publisher }) => {
      if (when === "when its confirm times out") proxy.blackhole();
      else {
        await proxy.refuse();
        await until("the publisher to notice", () => !publisher.isUp());
      }
      expect(await publisher.publish(messageTo(QUEUE))).toBe("unavailable");
      await proxy.restore();
      await publisher.whenUp();
      expect(publisher.isUp()).toBe(true);
      expect(await publisher.publish(messageTo(QUEUE))).toBe("confirmed");
    });

  test("reports messages in flight as unavailable when the connection is lost", async (fixture) => {
    const { proxy, raw, publisher } = fixture;
    proxy.blackhole("responses");
    const inFlight = Array.from({ length: 50 }, () => publisher.publish(messageTo(QUEUE)));
    // The broker has them, but the publisher does not know it: publishing them again makes duplicates.
    await until("the messages at the broker", async () => (await raw.ready(QUEUE)) === 50);
    await proxy.restore();
    expect(new Set(await Promise.all(inFlight))).toEqual(new Set(["unavailable"]));
  });

  test("declares a deleted queue again after a message to it was returned", async ({ raw, publisher }) => {
    await raw.channel.deleteQueue(QUEUE);
    expect(await publisher.publish(messageTo(QUEUE))).toBe("unroutable");
    await until("the queue", async () => (await publisher.publish(messageTo(QUEUE))) === "confirmed");
    expect(await raw.ready(QUEUE)).toBe(1);
  });
});

/** A publisher with its own broker. */
async function setUp(ended: AsyncDisposableStack, options: { confirmTimeoutMs?: number } = {}) {
  const { proxy, raw } = await openBroker(ended);
  let sessions = 0;
  const counted = async (channel: Channel, connection: ChannelModel) => {
    sessions += 1;
    await declare(channel, connection);
  };
  const publisher = startPublisher({
    ...{ url: proxy.url, name: "test.publisher", logger, declare: counted, ...options },
  });
  ended.defer(publisher.stop);
  await publisher.whenUp();
  return { proxy, raw, publisher, sessions: () => sessions };
}
