// Declares the service's queues on each connection that uses them, the targets of dead-lettering first (interface §8).
import { subscribableTypes } from "@tradepost/event-catalog";
import { orderTypes } from "@tradepost/event-catalog/order-events";
import {
  declareParkingQueue,
  declareRetryQueue,
  declareSubscribedQueue,
  declareWorkQueue,
  EVENTS_EXCHANGE,
  tallyKey,
} from "@tradepost/messaging";
import type { Logger, Metrics } from "@tradepost/runtime";
import type { Channel, ChannelModel } from "amqplib";

export const EVENTS_QUEUE = "webhooks.events";
export const DELIVERIES_QUEUE = "webhooks.deliveries";
export const DEAD_QUEUE = "webhooks.dead";
export const TALLIES_QUEUE = "webhooks.tallies";
export const POISON_QUEUE = "webhooks.poison";

/** `more`: the operator's choice of types (interface §24). */
export function talliedServices(more: readonly string[]): string[] {
  return ["content", ...(more.length > 0 ? ["orders"] : [])];
}
// Holds about a day of tallies. If a tally is refused, the service sends one for a longer time later.
const TALLIES_MAX = 1_500;

/** `label` as configured, such as `5m`. */
export interface Wait {
  readonly label: string;
  readonly ms: number;
}

export interface Broker {
  readonly url: string;
  /** Can be repeated, even after the broker has lost everything. */
  readonly declare: (channel: Channel, connection: ChannelModel) => Promise<void>;
  readonly metrics: Metrics;
  readonly logger: Logger;
}

export function declareTopology(schedule: readonly Wait[], more: readonly string[]): Broker["declare"] {
  return async (channel, connection) => {
    await declareParkingQueue(channel, POISON_QUEUE);
    await declareParkingQueue(channel, DEAD_QUEUE);
    await declareWorkQueue(channel, connection, DELIVERIES_QUEUE, POISON_QUEUE);
    for (const { label, ms } of schedule)
      await declareRetryQueue(channel, connection, retryQueue(label), ms, DELIVERIES_QUEUE);
    await declareSubscribedQueue(channel, connection, {
      queue: EVENTS_QUEUE,
      poisonQueue: POISON_QUEUE,
      exchange: EVENTS_EXCHANGE,
      routingKeys: [...subscribableTypes, ...more],
      formerKeys: orderTypes.filter((type) => !more.includes(type)),
    });
    await channel.checkExchange(EVENTS_EXCHANGE);
    await declareParkingQueue(channel, TALLIES_QUEUE, TALLIES_MAX);
    for (const service of talliedServices(more))
      await channel.bindQueue(TALLIES_QUEUE, EVENTS_EXCHANGE, tallyKey(service));
    if (more.length === 0) await channel.unbindQueue(TALLIES_QUEUE, EVENTS_EXCHANGE, tallyKey("orders"));
  };
}

/** A changed schedule declares new queues, and the old ones empty themselves (interface §8). */
export function retryQueue(waitLabel: string): string {
  return `webhooks.retry.${waitLabel}`;
}
