// Asks every relay of an exchange to publish its retained events again. See `replay.ts`.
import type { ChannelModel } from "amqplib";
import { checkSharedExchange, REPLAY_EXCHANGE } from "./shared-exchanges.ts";

/**
 * Resolves once the queue of each relay has the request on disk. A relay without a queue yet declares it later and then
 * replays without a request.
 */
export async function requestReplay(connection: ChannelModel, exchange: string): Promise<void> {
  const channel = await connection.createConfirmChannel();
  channel.on("error", () => undefined);
  await checkSharedExchange(channel, REPLAY_EXCHANGE);
  channel.publish(REPLAY_EXCHANGE, exchange, Buffer.from("{}"), { persistent: true });
  await channel.waitForConfirms();
  await channel.close();
}
