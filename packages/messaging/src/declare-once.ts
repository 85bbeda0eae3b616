// Declares a queue, and runs a task once after the queue is created, even if the process that created it dies before.
//
// The queue does not prove that the task ran. The proof is a marker: an exchange that is declared after the task and bound to the
// queue, to which nothing is published. As an auto-delete exchange it is deleted with its last binding: with the queue.
import { failPoint } from "@tradepost/runtime/fail-point";
import type { Channel, ChannelModel } from "amqplib";

/**
 * Declares the queue. If the queue or its marker is missing, `onNew` runs next, perhaps more than once and in several processes.
 * @throws the broker's error.
 */
export async function declareOnce(
  channel: Channel,
  connection: ChannelModel,
  options: { queue: string; declare: (isNew: boolean) => Promise<void>; onNew: () => Promise<void> },
): Promise<void> {
  const { queue } = options;
  // A service may declare only names with its own prefix.
  const marker = `${queue}.known`;
  const isNew =
    !(await exists(connection, (probe) => probe.checkQueue(queue))) ||
    !(await exists(connection, (probe) => probe.checkExchange(marker)));
  // An unbound marker would outlive the queue.
  if (isNew) {
    await channel.deleteExchange(marker);
    failPoint("declare-once.cleared");
  }
  await options.declare(isNew);
  if (isNew) {
    await options.onNew();
    await channel.assertExchange(marker, "fanout", { durable: true, autoDelete: true });
    failPoint("declare-once.marked");
  }
  await channel.bindQueue(queue, marker, "");
}

export function exists(
  connection: ChannelModel,
  check: (channel: Channel) => Promise<unknown>,
): Promise<boolean> {
  return isAccepted(connection, 404, check);
}

/** Returns false if the broker refuses `operation` with `refusalCode`, which closes the channel. */
export async function isAccepted(
  connection: ChannelModel,
  refusalCode: number,
  operation: (channel: Channel) => Promise<unknown>,
): Promise<boolean> {
  const channel = await connection.createChannel();
  channel.on("error", () => undefined);
  try {
    await operation(channel);
    await channel.close();
    return true;
  } catch (error) {
    if ((error as { code?: unknown }).code === refusalCode) return false;
    throw error;
  }
}
