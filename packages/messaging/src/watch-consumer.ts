// Detects a consumer that the broker has forgotten. After a queue is deleted and declared again at once, some brokers
// (seen on 3.10) neither cancel its consumer nor send it messages.
import { sleep } from "@tradepost/runtime";
import type { Channel } from "amqplib";
import type { BrokerSession } from "./supervise-connection.ts";

const CHECK_EVERY_MS = 5_000;
// A declaration every 30 s: deleting an exchange also deletes its bindings, and the broker does not report that to consumers.
const CHECKS_PER_DECLARATION = 6;

/**
 * Ends the session if the queue has no consumer, or if at two checks in a row messages were ready while this consumer had none in
 * flight and received none in between. Calls `declare`, if it is given, every 30 s. Never rejects.
 */
export async function watchConsumer(options: {
  channel: Channel;
  session: BrokerSession;
  stopping: AbortSignal;
  queue: string;
  declare?: () => Promise<void>;
  receivedCount: () => number;
  inFlightCount: () => number;
  checkEveryMs?: number | undefined;
}): Promise<void> {
  const { channel, session, stopping, queue, declare, checkEveryMs = CHECK_EVERY_MS } = options;
  const { receivedCount, inFlightCount } = options;
  const ended = AbortSignal.any([session.signal, stopping]);
  let receivedWhenStarved: number | null = null;
  for (let checks = 1; ; checks += 1) {
    await sleep(checkEveryMs, ended);
    if (ended.aborted) return;
    // If the queue does not exist, the broker closes the channel, which ends the session.
    const found = await channel.checkQueue(queue).catch(() => null);
    if (ended.aborted || found === null) return;
    const isStarved = found.messageCount > 0 && inFlightCount() === 0;
    const isForgotten = found.consumerCount === 0 || (isStarved && receivedWhenStarved === receivedCount());
    if (isForgotten) return session.end("the broker has forgotten the consumer");
    receivedWhenStarved = isStarved ? receivedCount() : null;
    if (declare === undefined || checks % CHECKS_PER_DECLARATION > 0) continue;
    try {
      await declare();
    } catch (error) {
      if (!ended.aborted) session.end(Error.isError(error) ? error.message : String(error));
    }
  }
}
