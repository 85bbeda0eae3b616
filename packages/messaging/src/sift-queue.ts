// Walks once through a queue that nobody consumes and takes out what is not to be kept: for operators' commands.
import { connect, type GetMessage } from "amqplib";

const CONNECT_TIMEOUT_MS = 5_000;

/**
 * In: the broker, the queue, and `keep`, asked for each message that lies there now. Out: how many were taken out.
 * What is kept goes back where it was when the walk ends, and so does everything when it ends early. A queue that
 * does not exist is empty. Throws where the broker cannot be reached.
 */
export async function siftQueue(options: {
  url: string;
  queue: string;
  keep: (message: GetMessage) => Promise<boolean> | boolean;
}): Promise<number> {
  const connection = await connect(options.url, { timeout: CONNECT_TIMEOUT_MS });
  connection.on("error", () => undefined);
  try {
    const channel = await connection.createChannel();
    channel.on("error", () => undefined);
    const there = await channel.checkQueue(options.queue).catch(() => null);
    let takenCount = 0;
    for (let seen = 0; seen < (there?.messageCount ?? 0); seen += 1) {
      const message = await channel.get(options.queue);
      if (message === false) break;
      if (await options.keep(message)) continue;
      channel.ack(message);
      takenCount += 1;
    }
    // Closing waits for the acknowledgements; what was not acknowledged goes back to the queue.
    if (there !== null) await channel.close();
    return takenCount;
  } finally {
    await connection.close().catch(() => undefined);
  }
}
