import { type ConfirmChannel, connect } from "amqplib";

/** Publishes messages, and resolves when the broker has confirmed them. */
export async function publishMessages(
  amqpUrl: string,
  publish: (channel: ConfirmChannel) => void,
): Promise<void> {
  const connection = await connect(amqpUrl);
  const channel = await connection.createConfirmChannel();
  publish(channel);
  await channel.waitForConfirms();
  await connection.close();
}

/** Returns the bodies and properties of all messages in the queues, which return to them. */
export async function messagesIn(amqpUrl: string, queues: readonly string[]): Promise<string[]> {
  const connection = await connect(amqpUrl);
  try {
    const channel = await connection.createChannel();
    const found: string[] = [];
    for (const name of queues) {
      for (let message = await channel.get(name); message; message = await channel.get(name))
        found.push(`${message.content} ${JSON.stringify(message.properties)}`);
    }
    return found;
  } finally {
    await connection.close();
  }
}
