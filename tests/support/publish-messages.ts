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
