// Removes messages from a queue without consumers, for operators' commands.
import { connect, type GetMessage } from "amqplib";

/** A message that was read from a queue. */
export type QueuedMessage = Pick<GetMessage, "content" | "properties">;

const CONNECT_TIMEOUT_MS = 5_000;

/**
 * Goes once through the messages that are in the queue now, removes each for which `matches` returns true, and returns
 * the number removed. The other messages return to their places at the end, and all that are not acknowledged yet do if
 * it ends early. A queue that does not exist counts as empty.
 *
 * @throws if the broker cannot be reached.
 */
export async function removeMatching(options: {
  url: string;
  queue: string;
  matches: (message: QueuedMessage) => Promise<boolean> | boolean;
}): Promise<number> {
  const connection = await connect(options.url, { timeout: CONNECT_TIMEOUT_MS });
  connection.on("error", () => undefined);
  try {
    const channel = await connection.createChannel();
    channel.on("error", () => undefined);
    const found = await channel.checkQueue(options.queue).catch(() => null);
    if (found === null) return 0;
    let removedCount = 0;
    for (let seen = 0; seen < found.messageCount; seen += 1) {
      const message = await channel.get(options.queue);
      if (message === false) break;
      if (!(await options.matches(message))) continue;
      channel.ack(message);
      removedCount += 1;
    }
    // Closing waits for the acknowledgements and returns the other messages to the queue.
    await channel.close();
    return removedCount;
  } finally {
    await connection.close().catch(() => undefined);
  }
}
