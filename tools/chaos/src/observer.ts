// What came out at the other end: every webhook at a receiver of ours, its signature checked, and every event on the
// exchange, as any team's consumer would hear it.
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
import { HOSTILE_PATH } from "./tenants.ts";

export interface Webhook {
  readonly deliveryId: string;
  readonly type: string;
  /** Of the redirect. */
  readonly id: string;
  readonly at: number;
  /** Whether we accepted it. */
  readonly isAccepted: boolean;
}

export interface ObservedEvent {
  readonly eventId: string;
  readonly type: string;
  readonly id: string;
  readonly at: number;
  /** Published again by a replay, which is from the newest event down: nothing follows from when it comes. */
  readonly isReplayed: boolean;
}

export async function startWebhookObserver(tls: Certificate) {
  const receiver = await startReceiver(tls);
  const webhooks: Webhook[] = [];
  const hostileDeliveries = new Set<string>();
  let forged = 0;
  let behaviour: Behaviour = () => 200;
  const secrets = new Map<string, string>();
  receiver.behave((request) => {
    const reaction = behaviour(request);
    // What was received is counted here; kept, its bodies would fill this process.
    receiver.received.length = 0;
    if (!isSigned(request, secrets.get(request.path) ?? "")) forged += 1;
    else if (request.path === HOSTILE_PATH) hostileDeliveries.add(deliveryIdOf(request));
    else webhooks.push(webhookOf(request, reaction === 200));
    return reaction;
  });
  return {
    url: receiver.url,
    webhooks,
    /** The deliveries to the hostile tenant, by their ids. */
    hostileDeliveries,
    forgedCount: () => forged,
    /** Whose webhooks come in at a path. */
    expect: (path: string, signingSecret: string) => void secrets.set(path, signingSecret),
    behave: (next: Behaviour) => {
      behaviour = next;
    },
    stop: () => receiver.stop(),
  };
}

function webhookOf(request: Received, isAccepted: boolean): Webhook {
  const { type, data } = JSON.parse(request.body.toString()) as {
    type: string;
    data: { redirect: { id: string } };
  };
  return {
    deliveryId: deliveryIdOf(request),
    type,
    id: data.redirect.id,
    at: Date.now(),
    isAccepted,
  };
}

function deliveryIdOf({ headers }: Received): string {
  return String(headers["x-service-delivery"]);
}

function isSigned({ body, headers }: Received, secret: string): boolean {
  const expected = Buffer.from(`sha256=${createHmac("sha256", secret).update(body).digest("hex")}`);
  const given = Buffer.from(String(headers["x-service-signature"]));
  return given.length === expected.length && timingSafeEqual(given, expected);
}

export function startEventObserver(amqpUrl: string) {
  const heard: ObservedEvent[] = [];
  const consumer = startConsumer({
    url: amqpUrl,
    name: "chaos.witness",
    logger: createLogger("chaos", "silent"),
    queue: "chaos.witness",
    prefetch: 500,
    declare: async (channel, connection) => {
      await declareParkingQueue(channel, "chaos.witness.poison");
      await declareSubscribedQueue(channel, connection, {
        queue: "chaos.witness",
        poisonQueue: "chaos.witness.poison",
        exchange: EVENTS_EXCHANGE,
        routingKeys: ["order.placed", "redirect.*"],
      });
    },
    handle: async ({ content, headers }) => {
      const decoded = decodeEvent(content);
      if ("event" in decoded) heard.push(observedEventOf(decoded.event, headers.replayed === true));
      return "ack";
    },
  });
  return { heard, whenUp: () => consumer.whenUp(), stop: () => consumer.stop() };
}

function observedEventOf(
  event: { id: string; type: string; data: Record<string, unknown> },
  isReplayed: boolean,
): ObservedEvent {
  const { order, redirect } = event.data as { order?: { id: string }; redirect?: { id: string } };
  return {
    ...{ eventId: event.id, type: event.type, id: (order ?? redirect)?.id ?? "" },
    ...{ at: Date.now(), isReplayed },
  };
}
