// The baseline for the relay: publishes prepared messages with confirms, up to `window` of them unconfirmed.
import amqplib from "amqplib";

export async function publishWindow(options: {
  amqpUrl: string;
  exchange: string;
  routingKey: string;
  content: Buffer;
  count: number;
  window: number;
}): Promise<{ perSecond: number; count: number }> {
  const { exchange, routingKey, content, count, window } = options;
  const connection = await amqplib.connect(options.amqpUrl);
  const channel = await connection.createConfirmChannel();
  const done = Promise.withResolvers<void>();
  let [sent, confirmed] = [0, 0];
  const send = () => {
    sent += 1;
    channel.publish(exchange, routingKey, content, { persistent: true, messageId: String(sent) }, (error) => {
      if (error !== null && error !== undefined) return done.reject(error as Error);
      confirmed += 1;
      if (sent < count) send();
      else if (confirmed === count) done.resolve();
    });
  };
  const startedAt = performance.now();
  while (sent < Math.min(window, count)) send();
  await done.promise;
  const seconds = (performance.now() - startedAt) / 1_000;
  await connection.close();
  return { count, perSecond: count / seconds };
}
