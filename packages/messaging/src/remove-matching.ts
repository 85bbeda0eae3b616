// Removes messages from a queue without consumers, for operators' commands.
import { sleep } from "@tradepost/runtime";
import { type Channel, type ChannelModel, connect, type GetMessage } from "amqplib";
import { isAccepted } from "./declare-once.ts";

export type QueuedMessage = Pick<GetMessage, "content" | "properties">;

const CONNECT_TIMEOUT_MS = 5_000;
const LOCK_TIMEOUT_MS = 30_000;
const LOCK_AGAIN_AFTER_MS = 200;
const RESOURCE_LOCKED = 405;

/**
 * Reads each message in the queue once, removes those that match, and returns their number. The others then return to their places. A
 * missing queue counts as empty. Reading hides the messages, so a second process waits for `lockTimeoutMs`, 30 s by default.
 * @throws if the broker cannot be reached, or the wait times out.
 */
export async function removeMatching(options: {
  url: string;
  queue: string;
  matches: (message: QueuedMessage) => Promise<boolean> | boolean;
  lockTimeoutMs?: number;
}): Promise<number> {
  const connection = await connect(options.url, { timeout: CONNECT_TIMEOUT_MS });
  connection.on("error", () => undefined);
  try {
    const channel = await connection.createChannel();
    channel.on("error", () => undefined);
    const found = await channel.checkQueue(options.queue).catch(() => null);
    if (found === null) return 0;
    await lockQueue(connection, options);
    const { messageCount } = await channel.checkQueue(options.queue);
    let removedCount = 0;
    for (let seen = 0; seen < messageCount; seen += 1) {
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

/**
 * Locks the queue by an exclusive queue `<queue>.lock`, which the broker deletes with its connection, even if the process dies.
 */
async function lockQueue(
  connection: ChannelModel,
  { queue, lockTimeoutMs = LOCK_TIMEOUT_MS }: { queue: string; lockTimeoutMs?: number },
): Promise<void> {
  const deadline = performance.now() + lockTimeoutMs;
  const lock = (channel: Channel) => channel.assertQueue(`${queue}.lock`, { exclusive: true });
  while (!(await isAccepted(connection, RESOURCE_LOCKED, lock))) {
    if (performance.now() > deadline)
      throw new Error(
        `Another command is working on the queue ${queue}. Run this one again when it has ended.`,
      );
    await sleep(LOCK_AGAIN_AFTER_MS);
  }
}
