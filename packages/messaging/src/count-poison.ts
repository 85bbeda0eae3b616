// Counts the messages of a queue, for the metric `poison_messages` among others (interface §14).
import type { Metrics } from "@tradepost/runtime";
import type { ChannelModel } from "amqplib";

/**
 * Counts the messages of a poison queue at each scrape. `connection` returns null while there is no connection; the metric is then
 * missing from the scrape.
 */
export function countPoison(metrics: Metrics, queue: string, connection: () => ChannelModel | null): void {
  metrics.sumGauge(
    "poison_messages",
    "Messages that could not be read and wait for the operator. Replicas report the same queue: aggregate with max.",
    ["queue"],
    async () => {
      return [{ labels: { queue }, value: await countReady(connection(), queue) }];
    },
  );
}

/** Returns the number of messages in a queue that wait to be delivered to a consumer. Rejects without a connection. */
export async function countReady(connection: ChannelModel | null, queue: string): Promise<number> {
  if (connection === null) throw new Error("not connected to the broker");
  // If the queue does not exist, the broker closes the channel, so no other work may use it.
  const channel = await connection.createChannel();
  channel.on("error", () => undefined);
  const { messageCount } = await channel.checkQueue(queue);
  await channel.close();
  return messageCount;
}
