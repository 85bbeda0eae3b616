// The relay empties a full outbox, compared with publishing the same number of prepared messages.
import { withConnection } from "@tradepost/devstack";
import { sleep } from "@tradepost/runtime";
import type { Channel } from "amqplib";
import amqplib from "amqplib";
import { orderBody } from "../load/order-requests.ts";
import { compareInTurns } from "../result.ts";
import type { Bench, BenchContext } from "./bench.ts";

const [EXCHANGE, ROUTING_KEY, QUEUE] = ["platform.events", "order.placed", "bench.relay"];
const WINDOW = 500;
const POLL_MS = 20;

// One transaction, so that the relay sees all rows at once.
const FILL = `
  insert into outbox (event_id, aggregate_id, type, tenant_id, request_id, traceparent, actor, data)
  select gen_random_uuid(), gen_random_uuid(), '${ROUTING_KEY}', '0198c5b3-2f4a-7d21-8c5e-0a1b2c3d4e5f', 'bench',
         '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01', '{"type":"api_key","id":"x","name":"Bench"}', $1::json
    from generate_series(1, $2)`;

export const relay: Bench = {
  name: "relay",
  description:
    "publishing 100,000 outbox rows; baseline: prepared messages with confirms, at most 500 unconfirmed",
  target: "≥ 0.50, and ≥ 10,000 a second",
  run: async (context) => {
    const { platform, scale, observe } = context;
    const content = Buffer.from(JSON.stringify({ order: JSON.parse(orderBody("x", 3)) as unknown }));
    const connection = await amqplib.connect(platform.broker.amqpUrl);
    const channel = await connection.createChannel();
    await channel.assertQueue(QUEUE, { durable: true, arguments: { "x-queue-type": "quorum" } });
    await channel.bindQueue(QUEUE, EXCHANGE, ROUTING_KEY);
    // The time of the purge does not count.
    const withEmptyQueue = async <Outcome>(run: () => Promise<Outcome>) => {
      await channel.purgeQueue(QUEUE);
      return await run();
    };
    try {
      const compared = await compareInTurns(
        () => withEmptyQueue(() => drain(context, content, channel)),
        () => withEmptyQueue(() => publishWindow(platform.broker.amqpUrl, content, scale.relayEvents)),
        { scale, observe },
      );
      return { unit: "events/s", ...compared };
    } finally {
      await channel.deleteQueue(QUEUE);
      await connection.close();
    }
  },
};

async function poll(isDone: () => Promise<boolean>): Promise<void> {
  while (!(await isDone())) await sleep(POLL_MS);
}

function drain({ platform, scale }: BenchContext, content: Buffer, channel: Channel) {
  return withConnection(platform.databases.orders, async (execute) => {
    await execute(FILL, [content.toString(), scale.relayEvents]);
    const startedAt = performance.now();
    // The queue is polled first, because polling the table while it is full of deleted rows would cost as much as the relay.
    await poll(async () => (await channel.checkQueue(QUEUE)).messageCount >= scale.relayEvents);
    await poll(async () => (await execute("select from outbox limit 1")).length === 0);
    const seconds = (performance.now() - startedAt) / 1_000;
    return { count: scale.relayEvents, perSecond: scale.relayEvents / seconds };
  });
}

async function publishWindow(
  amqpUrl: string,
  content: Buffer,
  count: number,
): Promise<{ perSecond: number; count: number }> {
  const connection = await amqplib.connect(amqpUrl);
  const channel = await connection.createConfirmChannel();
  const done = Promise.withResolvers<void>();
  let [sent, confirmed] = [0, 0];
  const send = () => {
    sent += 1;
    const options = { persistent: true, messageId: String(sent) };
    channel.publish(EXCHANGE, ROUTING_KEY, content, options, (error) => {
      if (error !== null && error !== undefined) return done.reject(error as Error);
      confirmed += 1;
      if (sent < count) send();
      else if (confirmed === count) done.resolve();
    });
  };
  const startedAt = performance.now();
  while (sent < Math.min(WINDOW, count)) send();
  await done.promise;
  const seconds = (performance.now() - startedAt) / 1_000;
  await connection.close();
  return { count, perSecond: count / seconds };
}
