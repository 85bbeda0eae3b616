// A plain connection to the broker, independent of the code under test.
import { until } from "@tradepost/testing";
import { type ConsumeMessage, connect } from "amqplib";

const END = "the end";

export async function openRawBroker(amqpUrl: string) {
  const connection = await connect(amqpUrl);
  const channel = await connection.createConfirmChannel();
  const send = async (queue: string, content: string, messageId = content) => {
    channel.sendToQueue(queue, Buffer.from(content), { messageId, persistent: true });
    await channel.waitForConfirms();
  };
  return {
    send,
    channel,
    connection,
    /**
     * Collects the messages that the exchange routes by `pattern` from now on, in order of arrival. Replayed messages, such
     * as after a relay started on an empty broker, are left out unless `wanted` is "all".
     */
    capture: async (exchange: string, pattern: string, wanted: "first" | "all" = "first") => {
      const { queue } = await channel.assertQueue("", { exclusive: true });
      await channel.bindQueue(queue, exchange, pattern);
      const messages: ConsumeMessage[] = [];
      const collect = (message: ConsumeMessage | null) => {
        if (message === null) return;
        if (wanted === "all" || message.properties.headers?.replayed !== true) messages.push(message);
      };
      await channel.consume(queue, collect, { noAck: true });
      return messages;
    },
    /** The number of messages ready in a queue. */
    ready: async (queue: string) => (await channel.checkQueue(queue)).messageCount,
    /**
     * Removes all messages from a queue, also those that are being returned to it, and returns their contents. It sends an end
     * marker and reads up to that.
     */
    drain: async (queue: string) => {
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
