// Declares exchange and queues with arguments that mean the same on RabbitMQ 3.10 and 4.x (contract §8).
// Always quorum. What guards against loss is an argument, not a policy: an operator's typo must not lose mail.
import type { Channel } from "amqplib";

/** A durable topic exchange: `platform.events` or `platform.audit`. */
export async function declareExchange(channel: Channel, name: string): Promise<void> {
  await channel.assertExchange(name, "topic", { durable: true });
}

// A message whose consumers died this often in a row is what kills them.
const WORK_DELIVERY_LIMIT = 20;

/** A queue that is consumed; what no code can read, or what kills its consumers, goes to `poisonQueue`. */
export async function declareWorkQueue(channel: Channel, name: string, poisonQueue: string): Promise<void> {
  await channel.assertQueue(name, {
    durable: true,
    arguments: {
      "x-queue-type": "quorum",
      "x-delivery-limit": WORK_DELIVERY_LIMIT,
      ...deadLetterTo(poisonQueue),
    },
  });
}

/** A queue that nobody consumes: what lies in it for `waitMs` moves on to `targetQueue`, which must exist before. */
export async function declareRetryQueue(
  channel: Channel,
  name: string,
  waitMs: number,
  targetQueue: string,
): Promise<void> {
  await channel.assertQueue(name, {
    durable: true,
    arguments: { "x-queue-type": "quorum", "x-message-ttl": waitMs, ...deadLetterTo(targetQueue) },
  });
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
}

/** Through the default exchange, which cannot be deleted; at least once, which needs reject-publish. */
function deadLetterTo(queue: string) {
  return {
    "x-dead-letter-exchange": "",
    "x-dead-letter-routing-key": queue,
    "x-dead-letter-strategy": "at-least-once",
    "x-overflow": "reject-publish",
  };
}
