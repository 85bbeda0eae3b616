// The arguments of queues mean the same on RabbitMQ 3.10 and 4.x (interface §8). The guards against loss are not policies: a mistaken
// policy could lose messages.
//
// A service declares its own queues, and the exchange `<service>.queues`, through which it sends to them. It has no right to publish to the
// default exchange, which reaches every queue of the broker.
import { failPoint } from "@tradepost/runtime/fail-point";
import type { Channel, ChannelModel } from "amqplib";
import { declareOnce, isAccepted } from "./declare-once.ts";
import { REPLAY_EXCHANGE } from "./shared-exchanges.ts";

/** The exchange through which a queue's service sends to its queues; the routing key is the queue's name. */
export function queueExchange(queue: string): string {
  return `${queue.split(".", 1)[0]}.queues`;
}

const WORK_DELIVERY_LIMIT = 20;

/** A message that the consumer rejects, or that exceeds the delivery limit, goes to `poisonQueue`. */
export async function declareWorkQueue(
  channel: Channel,
  connection: ChannelModel,
  name: string,
  poisonQueue: string,
): Promise<void> {
  const limit = { "x-delivery-limit": WORK_DELIVERY_LIMIT };
  await declareDeadLettering(channel, connection, name, limit, poisonQueue);
}

/**
 * Declares a work queue, binds it to a shared exchange and removes its bindings by `formerKeys`. A new queue has lost its messages or never
 * had any, so a replay is requested once it is bound.
 */
export async function declareSubscribedQueue(
  channel: Channel,
  connection: ChannelModel,
  options: {
    queue: string;
    poisonQueue: string;
    exchange: string;
    routingKeys: readonly string[];
    formerKeys?: readonly string[];
  },
): Promise<void> {
  const { queue, exchange } = options;
  await channel.checkExchange(exchange);
  await declareOnce(channel, connection, {
    queue,
    declare: async (isNew) => {
      await declareWorkQueue(channel, connection, queue, options.poisonQueue);
      if (isNew) failPoint("subscribed-queue.declared");
      for (const key of options.routingKeys) await channel.bindQueue(queue, exchange, key);
      for (const key of options.formerKeys ?? []) await channel.unbindQueue(queue, exchange, key);
      if (isNew) failPoint("subscribed-queue.bound");
    },
    onNew: async () => {
      await requestReplay(connection, exchange);
      failPoint("subscribed-queue.replay-requested");
    },
  });
}

/** Resolves once the queue of each relay has the request on disk. A relay without a queue replays by itself later. */
async function requestReplay(connection: ChannelModel, exchange: string): Promise<void> {
  const channel = await connection.createConfirmChannel();
  channel.on("error", () => undefined);
  await channel.checkExchange(REPLAY_EXCHANGE);
  channel.publish(REPLAY_EXCHANGE, exchange, Buffer.from("{}"), { persistent: true });
  await channel.waitForConfirms();
  await channel.close();
}

/** After `waitMs` a message moves on to `targetQueue`, which must exist. */
export async function declareRetryQueue(
  channel: Channel,
  connection: ChannelModel,
  name: string,
  waitMs: number,
  targetQueue: string,
): Promise<void> {
  await declareDeadLettering(channel, connection, name, { "x-message-ttl": waitMs }, targetQueue);
}

// Viewing a message in the management page counts as a delivery.
const PARKING_DELIVERY_LIMIT = 1_000_000;

/** Holds messages until they are removed, and refuses more than `lengthMax`. */
export async function declareParkingQueue(channel: Channel, name: string, lengthMax?: number): Promise<void> {
  await channel.assertQueue(name, {
    durable: true,
    arguments: {
      "x-queue-type": "quorum",
      "x-delivery-limit": PARKING_DELIVERY_LIMIT,
      ...(lengthMax !== undefined && { "x-max-length": lengthMax }),
      "x-overflow": "reject-publish",
    },
  });
  await bindToQueueExchange(channel, name);
}

async function bindToQueueExchange(channel: Channel, queue: string): Promise<void> {
  const exchange = queueExchange(queue);
  await channel.assertExchange(exchange, "direct", { durable: true });
  await channel.bindQueue(queue, exchange, queue);
}

const PRECONDITION_FAILED = 406;

/** At-least-once dead-lettering requires `reject-publish`. */
async function declareDeadLettering(
  channel: Channel,
  connection: ChannelModel,
  name: string,
  limit: Record<string, number>,
  target: string,
): Promise<void> {
  const args = {
    "x-queue-type": "quorum",
    ...limit,
    "x-dead-letter-exchange": queueExchange(target),
    "x-dead-letter-routing-key": target,
    "x-dead-letter-strategy": "at-least-once",
    "x-overflow": "reject-publish",
  };
  const isDeclared = await isAccepted(connection, PRECONDITION_FAILED, (probe) =>
    probe.assertQueue(name, { durable: true, arguments: args }),
  );
  if (!isDeclared) throw new Error(`queue ${name} exists with other arguments`);
  await bindToQueueExchange(channel, name);
}
