// Declares a queue and does something once for each life of that queue, whatever dies in between.
//
// That the queue exists does not show that it was done: whoever declared it may have died before. So there is a marker: an
// exchange that is declared last, and bound to the queue, by which nothing is ever published. It is deleted with its last
// binding, and so with the queue: a queue that is there with its marker is one for which it was done.
import { failPoint } from "@tradepost/runtime/fail-point";
import type { Channel, ChannelModel } from "amqplib";

/**
 * In: the queue, `declare` for it and its bindings, and `onNew`, which is done after them where the queue or its marker is
 * missing. It may be done more than once, and by several at the same time. Throws the broker's error.
 */
export async function declareOnce(
  channel: Channel,
  connection: ChannelModel,
  wanted: { queue: string; declare: (isNew: boolean) => Promise<void>; onNew: () => Promise<void> },
): Promise<void> {
  const { queue } = wanted;
  const marker = markerOf(queue);
  const isNew =
    !(await isThere(connection, (asked) => asked.checkQueue(queue))) ||
    !(await isThere(connection, (asked) => asked.checkExchange(marker)));
  // One that was left without a binding would outlive the queue.
  if (isNew) {
    await channel.deleteExchange(marker);
    failPoint("declare-once.cleared");
  }
  await wanted.declare(isNew);
  if (isNew) {
    await wanted.onNew();
    await channel.assertExchange(marker, "fanout", { durable: true, autoDelete: true });
    failPoint("declare-once.marked");
  }
  await channel.bindQueue(queue, marker, "");
}

/** Its name begins with the queue's, so that whoever may declare the queue may declare it. */
function markerOf(queue: string): string {
  return `${queue}.known`;
}

async function isThere(
  connection: ChannelModel,
  ask: (channel: Channel) => Promise<unknown>,
): Promise<boolean> {
  const channel = await connection.createChannel();
  // Asking for what is not there closes the channel.
  channel.on("error", () => undefined);
  try {
    await ask(channel);
    await channel.close();
    return true;
  } catch (error) {
    if ((error as { code?: unknown }).code === 404) return false;
    throw error;
  }
}
