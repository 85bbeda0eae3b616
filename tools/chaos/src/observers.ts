import { createHmac, timingSafeEqual } from "node:crypto";
import {
  declareParkingQueue,
  declareSubscribedQueue,
  decodeEvent,
  EVENTS_EXCHANGE,
  startConsumer,
} from "@tradepost/messaging";
import { createLogger } from "@tradepost/runtime";
import { type Behaviour, type Certificate, type Received, startReceiver } from "@tradepost/testing";

export type Webhook = ReturnType<typeof webhookOf>;
export type ObservedEvent = ReturnType<typeof observedEventOf>;
export type WebhookObserver = Awaited<ReturnType<typeof startWebhookObserver>>;

export async function startWebhookObserver(tls: Certificate) {
  const receiver = await startReceiver(tls);
  const webhooks: Webhook[] = [];
  let badSignatures = 0;
  let behaviour: Behaviour = () => 200;
  const secrets = new Map<string, string>();
  receiver.behave((request) => {
    const reaction = behaviour(request);
    // Otherwise the receiver would keep every body in memory.
    receiver.received.length = 0;
    if (!isSigned(request, secrets.get(request.path) ?? "")) badSignatures += 1;
    else webhooks.push(webhookOf(request, reaction === 200));
    return reaction;
  });
  return {
    url: receiver.url,
    webhooks,
    badSignatureCount: () => badSignatures,
    expect: (path: string, signingSecret: string) => void secrets.set(path, signingSecret),
    behave: (next: Behaviour) => {
      behaviour = next;
    },
    stop: () => receiver.stop(),
  };
}

function webhookOf(request: Received, isAccepted: boolean) {
  const { type, data } = JSON.parse(request.body.toString()) as {
    type: string;
    data: { redirect: { id: string } };
  };
  return {
    deliveryId: String(request.headers["x-service-delivery"]),
    type,
    /** The redirect's id. */
    aggregateId: data.redirect.id,
    at: Date.now(),
    isAccepted,
  };
}

function isSigned({ body, headers }: Received, secret: string): boolean {
  const expected = Buffer.from(`sha256=${createHmac("sha256", secret).update(body).digest("hex")}`);
  const actual = Buffer.from(String(headers["x-service-signature"]));
  return actual.length === expected.length && timingSafeEqual(actual, expected);
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

/** `isReplayed` if a replay published the event again. A replay starts with the newest event, so its order means nothing. */
function observedEventOf(
  event: { id: string; type: string; data: Record<string, unknown> },
  isReplayed: boolean,
) {
  const { order, redirect } = event.data as { order?: { id: string }; redirect?: { id: string } };
  return {
    eventId: event.id,
    type: event.type,
    aggregateId: (order ?? redirect)?.id ?? "",
    at: Date.now(),
    isReplayed,
  };
}
