// A consumer that records each event on the exchange, as the consumer of any team would receive it.
import {
  declareParkingQueue,
  declareSubscribedQueue,
  decodeEvent,
  EVENTS_EXCHANGE,
  startConsumer,
} from "@tradepost/messaging";
import { createLogger } from "@tradepost/runtime";

export interface ObservedEvent {
  readonly eventId: string;
  readonly type: string;
  /** The order's or the redirect's id. */
  readonly aggregateId: string;
  readonly at: number;
  /** True if a replay published the event again. A replay starts with the newest event, so its order means nothing. */
  readonly isReplayed: boolean;
}

const QUEUE = "chaos.observer";

export function startEventObserver(amqpUrl: string) {
  const events: ObservedEvent[] = [];
  const consumer = startConsumer({
    url: amqpUrl,
    name: QUEUE,
    replicated: async () => {},
    logger: createLogger("chaos", "silent"),
    queue: QUEUE,
    prefetch: 500,
    declare: async (channel, connection) => {
      await declareParkingQueue(channel, `${QUEUE}.poison`);
      await declareSubscribedQueue(channel, connection, {
        queue: QUEUE,
        poisonQueue: `${QUEUE}.poison`,
        exchange: EVENTS_EXCHANGE,
        routingKeys: ["order.placed", "redirect.*"],
      });
    },
    handle: async ({ content, headers }) => {
      const decoded = decodeEvent(content);
      if ("event" in decoded) events.push(observedEventOf(decoded.event, headers.replayed === true));
      return "ack";
    },
  });
  return { events, whenUp: () => consumer.whenUp(), stop: () => consumer.stop() };
}

function observedEventOf(
  event: { id: string; type: string; data: Record<string, unknown> },
  isReplayed: boolean,
): ObservedEvent {
  const { order, redirect } = event.data as { order?: { id: string }; redirect?: { id: string } };
  return {
    eventId: event.id,
    type: event.type,
    aggregateId: (order ?? redirect)?.id ?? "",
    at: Date.now(),
    isReplayed,
  };
}
