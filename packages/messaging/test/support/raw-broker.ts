// The broker as a test sees it from outside: a plain connection of its own, beside whatever is being tested.
import { until } from "@tradepost/testing";
import { type ChannelModel, type ConfirmChannel, type ConsumeMessage, connect } from "amqplib";

const END = "the end";

export interface RawBroker {
  /** Declares, publishes and looks; confirms on. */
  readonly channel: ConfirmChannel;
  readonly connection: ChannelModel;
  /**
   * What reaches the exchange under `pattern` from now on, in the order it came. What is published again by a replay, as
   * when a relay starts on an empty broker, is left out unless `all` is wanted.
   */
  tap(exchange: string, pattern: string, wanted?: "first" | "all"): Promise<ConsumeMessage[]>;
  /** How many messages lie ready in a queue. */
  ready(queue: string): Promise<number>;
  /** Takes out everything that lies in a queue or is on its way back there; asks with a message of its own. */
  drain(queue: string): Promise<string[]>;
  send(queue: string, content: string, messageId?: string): Promise<void>;
  close(): Promise<void>;
}

export async function openRawBroker(amqpUrl: string): Promise<RawBroker> {
  const connection = await connect(amqpUrl);
  const channel = await connection.createConfirmChannel();
  const send: RawBroker["send"] = async (queue, content, messageId = content) => {
    channel.sendToQueue(queue, Buffer.from(content), { messageId, persistent: true });
    await channel.waitForConfirms();
  };
  return {
    send,
    channel,
    connection,
    tap: async (exchange, pattern, wanted = "first") => {
      const { queue } = await channel.assertQueue("", { exclusive: true });
      await channel.bindQueue(queue, exchange, pattern);
      const messages: ConsumeMessage[] = [];
      const take = (message: ConsumeMessage | null) => {
        if (message === null) return;
        if (wanted === "all" || message.properties.headers?.replayed !== true) messages.push(message);
      };
      await channel.consume(queue, take, { noAck: true });
      return messages;
    },
    ready: async (queue) => (await channel.checkQueue(queue)).messageCount,
    drain: async (queue) => {
      await send(queue, END);
      const contents: string[] = [];
      await until("the end of the queue", async () => {
        const message = await channel.get(queue, { noAck: true });
        const content = message === false ? null : message.content.toString();
        if (content !== null && content !== END) contents.push(content);
        return content === END;
      });
      return contents;
    },
    close: () => connection.close(),
  };
}
