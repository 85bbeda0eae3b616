// Listens on the events' exchange as any team's consumer would.
import { type ConsumeMessage, connect } from "amqplib";

/**
 * What the exchange routes by `pattern` to a queue of our own, from now on. What a replay publishes again, as when a relay
 * starts on an empty broker, is left out.
 */
export async function tapExchange(amqpUrl: string, pattern: string) {
  const connection = await connect(amqpUrl);
  const channel = await connection.createChannel();
  const { queue } = await channel.assertQueue("", { exclusive: true });
  await channel.bindQueue(queue, "platform.events", pattern);
  const messages: ConsumeMessage[] = [];
  const note = (message: ConsumeMessage | null) => {
    if (message !== null && message.properties.headers?.replayed !== true) messages.push(message);
  };
  await channel.consume(queue, note, { noAck: true });
  return { messages, stop: () => connection.close() };
}
