// Declares the queues of the service on each connection that uses them: first the queues that others dead-letter to
// (interface §8).
import {
  checkSharedExchange,
  declareParkingQueue,
  declareWorkQueue,
  EVENTS_EXCHANGE,
} from "@tradepost/messaging";
import type { Channel, ChannelModel } from "amqplib";

export const MEDIA_QUEUE = "content.media";
export const POISON_QUEUE = "content.poison";

/** Idempotent. If the broker has lost the queues, this declares them again; polling finds images whose message is lost. */
export async function declareTopology(channel: Channel, connection: ChannelModel): Promise<void> {
  await declareParkingQueue(channel, POISON_QUEUE);
  await checkSharedExchange(channel, EVENTS_EXCHANGE);
  await declareWorkQueue(channel, connection, MEDIA_QUEUE, POISON_QUEUE);
  await channel.bindQueue(MEDIA_QUEUE, EVENTS_EXCHANGE, "media.uploaded");
}
