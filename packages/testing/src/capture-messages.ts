// Consumes from the events exchange, as a consumer of another team would.
import { type ConsumeMessage, connect } from "amqplib";

/**
 * Collects the messages that the exchange, `platform.events` by default, routes by `pattern` from now on. Replayed messages, such as
 * after a relay started on an empty broker, are left out unless `withReplayed`.
 */
export async function captureMessages(
  amqpUrl: string,
  pattern: string,
  { withReplayed = false, exchange = "platform.events" } = {},
) {
  const connection = await connect(amqpUrl);
  const channel = await connection.createChannel();
  const { queue } = await channel.assertQueue("", { exclusive: true });
  await channel.bindQueue(queue, exchange, pattern);
  const messages: ConsumeMessage[] = [];
  const collect = (message: ConsumeMessage | null) => {
    if (message !== null && (withReplayed || message.properties.headers?.replayed !== true))
      messages.push(message);
  };
  await channel.consume(queue, collect, { noAck: true });
  return { messages, stop: () => connection.close() };
}
