// An HTTPS receiver that records each webhook and checks its signature.
import { createHmac, timingSafeEqual } from "node:crypto";
import { type Behaviour, type Certificate, type Received, startReceiver } from "@tradepost/testing";

export interface Webhook {
  readonly deliveryId: string;
  readonly type: string;
  /** The redirect's id. */
  readonly aggregateId: string;
  readonly at: number;
  /** Whether the observer responded with 200. */
  readonly isAccepted: boolean;
}

export type WebhookObserver = Awaited<ReturnType<typeof startWebhookObserver>>;

/** The path of the hostile tenant's webhooks. */
export const HOSTILE_PATH = "/chaos-hostile";

export async function startWebhookObserver(tls: Certificate) {
  const receiver = await startReceiver(tls);
  const webhooks: Webhook[] = [];
  const hostileDeliveryIds = new Set<string>();
  let badSignatures = 0;
  let behaviour: Behaviour = () => 200;
  const secrets = new Map<string, string>();
  receiver.behave((request) => {
    const reaction = behaviour(request);
    // Otherwise the receiver would keep every body in memory.
    receiver.received.length = 0;
    if (!isSigned(request, secrets.get(request.path) ?? "")) badSignatures += 1;
    else if (request.path === HOSTILE_PATH) hostileDeliveryIds.add(deliveryIdOf(request));
    else webhooks.push(webhookOf(request, reaction === 200));
    return reaction;
  });
  return {
    url: receiver.url,
    /** All webhooks with a correct signature, except the hostile tenant's. */
    webhooks,
    /** The deliveries to the hostile tenant. */
    hostileDeliveryIds,
    badSignatureCount: () => badSignatures,
    /** Sets the secret that signs the webhooks to a path. */
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
    aggregateId: data.redirect.id,
    at: Date.now(),
    isAccepted,
  };
}

function deliveryIdOf({ headers }: Received): string {
  return String(headers["x-service-delivery"]);
}

function isSigned({ body, headers }: Received, secret: string): boolean {
  const expected = Buffer.from(`sha256=${createHmac("sha256", secret).update(body).digest("hex")}`);
  const actual = Buffer.from(String(headers["x-service-signature"]));
  return actual.length === expected.length && timingSafeEqual(actual, expected);
}
