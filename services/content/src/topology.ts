// Declares the queues of the service, targets before sources, on each connection that uses them (contract §8).
import {
  checkSharedExchange,
  declareParkingQueue,
  declareWorkQueue,
  EVENTS_EXCHANGE,
} from "@tradepost/messaging";
import type { Channel, ChannelModel } from "amqplib";

export const MEDIA_QUEUE = "content.media";
const POISON_QUEUE = "content.poison";

/** Safe to run again and again, and after the broker lost everything: what the queue lost is swept. */
export async function declareTopology(channel: Channel, connection: ChannelModel): Promise<void> {
  await declareParkingQueue(channel, POISON_QUEUE);
  await checkSharedExchange(channel, EVENTS_EXCHANGE);
  await declareWorkQueue(channel, connection, MEDIA_QUEUE, POISON_QUEUE);
  await channel.bindQueue(MEDIA_QUEUE, EVENTS_EXCHANGE, "media.uploaded");
}
