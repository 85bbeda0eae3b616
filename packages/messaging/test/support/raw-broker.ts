// The broker as a test sees it from outside: a plain connection of its own, beside whatever is being tested.
import { type ConfirmChannel, type ConsumeMessage, connect } from "amqplib";

export interface RawBroker {
  /** Declares, publishes and looks; confirms on. */
  readonly channel: ConfirmChannel;
  /** Everything that reaches the exchange under `pattern` from now on, in the order it came. */
  tap(exchange: string, pattern: string): Promise<ConsumeMessage[]>;
  /** How many messages lie ready in a queue. */
  ready(queue: string): Promise<number>;
  send(queue: string, content: string, messageId?: string): Promise<void>;
  close(): Promise<void>;
}

export async function openRawBroker(amqpUrl: string): Promise<RawBroker> {
  const connection = await connect(amqpUrl);
  const channel = await connection.createConfirmChannel();
  return {
    channel,
    tap: async (exchange, pattern) => {
      const { queue } = await channel.assertQueue("", { exclusive: true });
      await channel.bindQueue(queue, exchange, pattern);
      const messages: ConsumeMessage[] = [];
      await channel.consume(queue, (message) => message !== null && messages.push(message), { noAck: true });
      return messages;
    },
    ready: async (queue) => (await channel.checkQueue(queue)).messageCount,
    send: async (queue, content, messageId = content) => {
      channel.sendToQueue(queue, Buffer.from(content), { messageId, persistent: true });
      await channel.waitForConfirms();
    },
    close: () => connection.close(),
  };
}
