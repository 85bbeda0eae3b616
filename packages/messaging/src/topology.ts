// Declares exchanges and queues with arguments that mean the same on RabbitMQ 3.10 and 4.x (contract §8).
// Always quorum. What guards against loss is an argument, not a policy: an operator's typo must not lose mail.
//
// A service declares what is its own: its queues, and the exchange `<service>.queues`, by which alone it sends to them.
// Whoever may publish to the default exchange may publish to any queue of the broker; no service may.
import type { Channel, ChannelModel } from "amqplib";

/** The direct exchange that leads to a queue, and to its service's other queues; the routing key is the queue's name. */
export function exchangeBefore(queue: string): string {
  return `${queue.split(".", 1)[0]}.queues`;
}

// A message whose consumers died this often in a row is what kills them.
const WORK_DELIVERY_LIMIT = 20;

/** A queue that is consumed; what no code can read, or what kills its consumers, goes to `poisonQueue`. */
export async function declareWorkQueue(
  channel: Channel,
  connection: ChannelModel,
  name: string,
  poisonQueue: string,
): Promise<void> {
  await declareDeadLettering(connection, name, { "x-delivery-limit": WORK_DELIVERY_LIMIT }, poisonQueue);
  await leadTo(channel, name);
}

/** A queue that nobody consumes: what lies in it for `waitMs` moves on to `targetQueue`, which must exist before. */
export async function declareRetryQueue(
  channel: Channel,
  connection: ChannelModel,
  name: string,
  waitMs: number,
  targetQueue: string,
): Promise<void> {
  await declareDeadLettering(connection, name, { "x-message-ttl": waitMs }, targetQueue);
  await leadTo(channel, name);
}

// A look in the management page counts as a delivery; twenty looks must not destroy what is kept.
const KEPT_DELIVERY_LIMIT = 1_000_000;

/** A queue that keeps what lies in it until an operator decides: no TTL, nowhere to go. */
export async function declareKeptQueue(channel: Channel, name: string): Promise<void> {
  await channel.assertQueue(name, {
    durable: true,
    arguments: {
      "x-queue-type": "quorum",
      "x-delivery-limit": KEPT_DELIVERY_LIMIT,
      "x-overflow": "reject-publish",
    },
  });
  await leadTo(channel, name);
}

async function leadTo(channel: Channel, queue: string): Promise<void> {
  const exchange = exchangeBefore(queue);
  await channel.assertExchange(exchange, "direct", { durable: true });
  await channel.bindQueue(queue, exchange, queue);
}

/** At least once, which needs reject-publish. */
async function declareDeadLettering(
  connection: ChannelModel,
  name: string,
  particular: Record<string, number>,
  target: string,
): Promise<void> {
  const by = (exchange: string) => ({
    "x-queue-type": "quorum",
    ...particular,
    "x-dead-letter-exchange": exchange,
    "x-dead-letter-routing-key": target,
    "x-dead-letter-strategy": "at-least-once",
    "x-overflow": "reject-publish",
  });
  if (await isDeclared(connection, name, by(exchangeBefore(target)))) return;
  // A queue keeps its arguments for life. An earlier version's lead through the default exchange, which does as well.
  if (!(await isDeclared(connection, name, by("")))) throw new Error(`queue ${name} has other arguments`);
}

const PRECONDITION_FAILED = 406;

/** False where the queue is there with other arguments; that closes the channel. */
async function isDeclared(connection: ChannelModel, name: string, args: object): Promise<boolean> {
  const channel = await connection.createChannel();
  channel.on("error", () => undefined);
  try {
    await channel.assertQueue(name, { durable: true, arguments: args });
    await channel.close();
    return true;
  } catch (error) {
    if ((error as { code?: unknown }).code === PRECONDITION_FAILED) return false;
    throw error;
  }
}
