// Detects a consumer that the broker has forgotten. After a queue is deleted and declared again at once, some brokers
// (seen on 3.10) neither cancel its consumer nor send it messages.
import { sleep, togetherWithOthers } from "@tradepost/runtime";
import type { Channel, ChannelModel } from "amqplib";
import type { BrokerSession } from "./supervise-connection.ts";

const CHECK_EVERY_MS = 5_000;
// A declaration every 30 s: deleting an exchange also deletes its bindings, and the broker does not report that to consumers.
const CHECKS_PER_DECLARATION = 6;

/** The messages that a consumer has received, in all its sessions. */
export interface Received {
  count: number;
  readonly inFlight: Set<Promise<void>>;
}

/**
 * Ends the session if the queue has no consumer, or if at two checks in a row messages were ready while the consumer had none in flight and
 * received none. Calls `declare` every 30 s if the consumer `declaresAgain`. Never rejects.
 */
export async function watchConsumer(
  channel: Channel,
  session: BrokerSession,
  received: Received,
  options: {
    queue: string;
    declare: (channel: Channel, connection: ChannelModel) => Promise<void>;
    declaresAgain?: boolean;
    checkEveryMs?: number;
    stopping: AbortSignal;
  },
): Promise<void> {
  const { queue, declare, declaresAgain = true, checkEveryMs = CHECK_EVERY_MS, stopping } = options;
  const ended = AbortSignal.any([session.signal, stopping]);
  let receivedWhenStarved: number | null = null;
  for (let checks = 1; ; checks += 1) {
    await sleep(togetherWithOthers(checkEveryMs), ended);
    if (ended.aborted) return;
    // If the queue does not exist, the broker closes the channel, which ends the session.
    const found = await channel.checkQueue(queue).catch(() => null);
    if (ended.aborted || found === null) return;
    const isStarved = found.messageCount > 0 && received.inFlight.size === 0;
    const isForgotten = found.consumerCount === 0 || (isStarved && receivedWhenStarved === received.count);
    if (isForgotten) return session.end("the broker has forgotten the consumer");
    receivedWhenStarved = isStarved ? received.count : null;
    if (!declaresAgain || checks % CHECKS_PER_DECLARATION > 0) continue;
    try {
      await declare(channel, session.connection);
    } catch (error) {
      if (!ended.aborted) session.end(Error.isError(error) ? error.message : String(error));
    }
  }
}
