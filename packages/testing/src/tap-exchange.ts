// Listens on the events' exchange as any team's consumer would.
import { type ConsumeMessage, connect } from "amqplib";

/** Everything that the exchange routes by `pattern` to a queue of our own, from now on. */
export async function tapExchange(amqpUrl: string, pattern: string) {
  const connection = await connect(amqpUrl);
  const channel = await connection.createChannel();
  const { queue } = await channel.assertQueue("", { exclusive: true });
  await channel.bindQueue(queue, "platform.events", pattern);
  const messages: ConsumeMessage[] = [];
  await channel.consume(queue, (message) => message !== null && messages.push(message), { noAck: true });
  return { messages, stop: () => connection.close() };
}
