// Shows the platform's main job: an order, a subscription, a redirect and its signed webhook, which arrives here; then a receiver
// that fails, and the retry that succeeds.
import { type BodyOf, createClient, type Tradepost } from "@tradepost/client";
import { verifyWebhook } from "@tradepost/client/webhooks";
import { type PlatformFile, receiverCertificate } from "@tradepost/devstack";
import { type Received, type Receiver, startReceiver, until } from "@tradepost/testing";

const NAME = "Demo";
const RETRY_TIMEOUT_MS = 15 * 60_000;

interface Clients {
  readonly owner: Tradepost;
  readonly key: Tradepost;
}

export async function tour(platform: PlatformFile, dataDir: string): Promise<void> {
  const receiver = await startReceiver(await receiverCertificate(dataDir));
  const api = {
    owner: await signIn(platform),
    key: createClient({ url: platform.gatewayUrl, apiKey: platform.demo.apiKey }),
  };
  try {
    await deleteEarlier(api.owner);
    const orderId = await showOrder(api.key, platform);
    await showWebhook(api, receiver);
    const deliveryId = await showRetry(api, receiver);
    const dashboard = `${platform.gatewayUrl}/dashboard`;
    console.log(`\nDone. It is all in the dashboard until the next demo; the subscriptions are paused, because their receiver ends:
   ${dashboard}/orders/${orderId}
   ${dashboard}/deliveries/${deliveryId}`);
  } finally {
    await receiver.stop();
  }
}

/** Deletes the subscriptions of an earlier demo, and with them their waiting deliveries. */
async function deleteEarlier(owner: Tradepost): Promise<void> {
  for await (const { id, name } of owner.subscriptions.list())
    if (name === NAME) await owner.subscriptions.delete(id);
}

async function showOrder(key: Tradepost, platform: PlatformFile): Promise<string> {
  heading("1. One request in, one committed row: an order");
  const body: BodyOf<"placeOrder"> = {
    customerId: platform.demo.customerId,
    channel: "storefront",
    items: [
      { sku: "MUG-1", name: "Mug", quantity: 3, unitPrice: 19.99, taxAmount: 6 },
      { sku: "STICKER", name: "Sticker", unitPrice: 0.3333 },
    ],
    shippingTotal: 4.5,
  };
  request("POST", "/v1/orders", body);
  const { orderNumber, status, paymentStatus, subtotal, taxTotal, total, id } = await key.orders.place(body);
  detail({ id, orderNumber, status, paymentStatus, subtotal, taxTotal, total });
  console.log(
    "   The event order.placed was committed in the same statement and is now on the exchange platform.events.",
  );
  return id;
}

async function showWebhook({ owner, key }: Clients, receiver: Receiver): Promise<void> {
  heading("2. One event, one signed webhook out: a redirect");
  const subscription = await subscribe(owner, receiver, "/hooks");
  const from = `/demo-${Date.now()}`;
  request("POST", "/v1/redirects", { from, to: "/new-shop" });
  await key.redirects.create({ from, to: "/new-shop" });
  const hook = await receiver.waitFor("the webhook", ({ path }) => path === "/hooks");
  showReceived(hook);
  console.log(
    `   The signature ${(await isGenuine(hook, subscription.signingSecret)) ? "verifies" : "DOES NOT VERIFY"} over the raw bytes.`,
  );
  await owner.subscriptions.update(subscription.id, { active: false });
}

async function showRetry({ owner, key }: Clients, receiver: Receiver): Promise<string> {
  heading("3. Nothing lost: a receiver that fails, and the retry");
  const subscription = await subscribe(owner, receiver, "/fails-once");
  receiver.behave(({ headers }) => (headers["x-service-attempt"] === "1" ? 503 : 200));
  await key.redirects.create({ from: `/demo-${Date.now()}`, to: "/new-shop" });
  const first = await receiver.waitFor("the first attempt", isAttempt("/fails-once", "1"));
  console.log(
    `   Attempt 1 arrived, and the receiver responded 503. Delivery ${first.headers["x-service-delivery"]}:`,
  );
  const deliveryId = String(first.headers["x-service-delivery"]);
  const waiting = await until("the log", async () => {
    const delivery = await key.deliveries.get(deliveryId);
    return delivery.status === "retrying" && delivery;
  });
  detail({
    status: waiting.status,
    attemptCount: waiting.attemptCount,
    nextAttemptAt: waiting.nextAttemptAt,
  });
  console.log("   Waiting for attempt 2 (about a minute with the default schedule; Ctrl-C stops the demo) …");
  const isSecond = isAttempt("/fails-once", "2");
  const second = await until("the retry", () => receiver.received.find(isSecond), RETRY_TIMEOUT_MS);
  console.log(`   Attempt 2 arrived with the same X-service-Delivery, and the receiver responded 200.`);
  showReceived(second);
  const done = await until("the log", async () => {
    const delivery = await key.deliveries.get(deliveryId);
    return delivery.status === "delivered" && delivery;
  });
  detail({ status: done.status, attempts: done.attempts });
  await owner.subscriptions.update(subscription.id, { active: false });
  return deliveryId;
}

async function subscribe(owner: Tradepost, receiver: Receiver, path: string) {
  const body: BodyOf<"createSubscription"> = {
    name: NAME,
    url: `${receiver.url}${path}`,
    events: ["redirect.added"],
  };
  request("POST", "/v1/webhooks/subscriptions", body);
  const { id, signingSecret } = await owner.subscriptions.create(body);
  // The secret is null only in a repeated response.
  const secret = signingSecret ?? "";
  detail({ id, signingSecret: `${secret.slice(0, 12)}… (shown only this once)` });
  return { id, signingSecret: secret };
}

function showReceived({ headers, body }: Received): void {
  const shown = Object.entries(headers).filter(([name]) =>
    /^(x-service-|webhook-|user-agent|content-type)/.test(name),
  );
  console.log("   Received over HTTPS:");
  for (const [name, value] of shown) console.log(`     ${name}: ${value}`);
  console.log(`     ${body.toString()}`);
}

/** Verifies a webhook as a receiver does (interface §7), over the exact raw bytes. */
async function isGenuine({ headers, body }: Received, secret: string): Promise<boolean> {
  return await verifyWebhook(secret, headers, body).then(
    () => true,
    () => false,
  );
}

function isAttempt(path: string, attempt: string) {
  return (request: Received) => request.path === path && request.headers["x-service-attempt"] === attempt;
}

/** Signs in as the demo tenant's owner. */
async function signIn({ gatewayUrl, demo }: PlatformFile): Promise<Tradepost> {
  const credentials = { email: demo.ownerEmail, password: demo.ownerPassword };
  const login = await createClient({ url: gatewayUrl }).auth.login(credentials);
  if ("secondFactor" in login) throw new Error("the demo's owner has set up a second factor");
  return createClient({ url: gatewayUrl, token: login.token });
}

function heading(title: string): void {
  console.log(`\n${title}\n${"─".repeat(title.length)}`);
}

function request(method: string, path: string, body: unknown): void {
  console.log(`   ${method} ${path}  ${JSON.stringify(body)}`);
}

function detail(fields: object): void {
  for (const [name, value] of Object.entries(fields)) {
    console.log(`   → ${name}: ${typeof value === "object" ? JSON.stringify(value) : value}`);
  }
}
