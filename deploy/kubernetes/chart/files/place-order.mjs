// `helm test`: places an order and reads its event in the change feed, then adds a redirect and waits for its signed webhook.
// Events of orders are not sent as webhooks, so the redirect takes that path. A listener receives the webhook: it is signed,
// stored and counted like any other, but fetched, so the test needs no certificate and no address that deliveries may reach.
// The canary, which /readyz/deep includes, covers the requests to receivers. At its end the test cancels the order
// and deletes the redirect and the listener.
import { createHmac, randomUUID, timingSafeEqual } from "node:crypto";

const REQUEST_TIMEOUT_MS = 30_000;
const WAIT_SECONDS = 10;
const RETRY_EVERY_MS = 1_000;
const SECRET_PREFIX = "whsec_";

const { TRADEPOST_URL: url, API_KEY: apiKey, TIMEOUT_SECONDS: timeoutSeconds = "120" } = process.env;
const endsAt = Date.now() + Number(timeoutSeconds) * 1_000;
const cleanups = [];

try {
  if (!apiKey)
    throw new Error(
      "API_KEY is missing: create a tenant, and a Secret with an API key of it (docs/kubernetes.md)",
    );
  await waitUntilReady();
  await placeOrder();
  await receiveWebhook();
  console.log("PASSED");
} catch (error) {
  console.error(`FAILED: ${error.message}`);
  process.exitCode = 1;
} finally {
  for (const cleanup of cleanups.reverse())
    await cleanup().catch((error) => console.error(`left behind: ${error.message}`));
}

/** Waits for the gateway, the services behind it and the canary, which takes a minute after an installation. */
async function waitUntilReady() {
  for (;;) {
    const missing = await missingParts();
    if (missing === "") break;
    await pause(`the platform is not ready: ${missing}`);
  }
  console.log("ready: the gateway, the services, the canary");
}

async function missingParts() {
  try {
    const response = await fetch(`${url}/readyz/deep`, { signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS) });
    return response.ok ? "" : (await response.json()).missing.join(", ");
  } catch (error) {
    return error.cause?.code ?? error.message;
  }
}

async function placeOrder() {
  const { page: start } = await request("GET", "/v1/orders/events?after=now");
  const customer = await request("PUT", "/v1/customers/by-external-id/helm-test", { name: "helm test" });
  const placed = await request("POST", "/v1/orders", {
    customerId: customer.data.id,
    items: [{ sku: "helm-test", name: "helm test", unitPrice: 1 }],
  });
  const { id, orderNumber } = placed.data;
  cleanups.push(() => request("POST", `/v1/orders/${id}/cancel`, { reason: "helm test" }));
  console.log(`placed: order ${orderNumber}`);

  for (let after = start.nextCursor; ; ) {
    const query = new URLSearchParams({ after, types: "order.placed", waitSeconds: String(WAIT_SECONDS) });
    const events = await request("GET", `/v1/orders/events?${query}`);
    if (events.data.some((event) => event.data.order.id === id)) break;
    after = events.page.nextCursor;
    if (!events.page.hasMore) await pause(`order.placed of order ${orderNumber} is not in the change feed`);
  }
  console.log("published: order.placed");
}

async function receiveWebhook() {
  const listener = await request("POST", "/v1/webhooks/listeners", {
    name: "helm test",
    events: ["redirect.added"],
    expiresInHours: 1,
  });
  const { id, signingSecret } = listener.data;
  cleanups.push(() => request("DELETE", `/v1/webhooks/listeners/${id}`));
  const redirect = await request("POST", "/v1/redirects", { from: `/helm-test/${randomUUID()}`, to: "/" });
  cleanups.push(() => request("DELETE", `/v1/redirects/${redirect.data.id}`));
  console.log(`added: redirect ${redirect.data.from}`);

  for (;;) {
    const startedAt = Date.now();
    const leased = await request("POST", `/v1/webhooks/listeners/${id}/lease`, { waitSeconds: WAIT_SECONDS });
    for (const { deliveryId, attempt, headers, body } of leased.data) {
      verifySignature(signingSecret, headers, body);
      const result = { attempt, statusCode: 200, durationMs: Date.now() - startedAt };
      await request("POST", `/v1/webhooks/listeners/${id}/deliveries/${deliveryId}/result`, result);
      if (JSON.parse(body).data.redirect?.id !== redirect.data.id) continue;
      return console.log(`received: signed webhook ${deliveryId}`);
    }
    await pause("no webhook of the redirect has arrived");
  }
}

/** As docs/receiving-webhooks.md says, with the signature of Standard Webhooks. */
function verifySignature(secret, headers, body) {
  const sent = new Headers(headers);
  const mac = createHmac("sha256", Buffer.from(secret.slice(SECRET_PREFIX.length), "base64"));
  mac.update(`${sent.get("webhook-id")}.${sent.get("webhook-timestamp")}.${body}`);
  const expected = Buffer.from(`v1,${mac.digest("base64")}`);
  const signatures = (sent.get("webhook-signature") ?? "")
    .split(" ")
    .map((signature) => Buffer.from(signature));
  const isGenuine = signatures.some(
    (signature) => signature.length === expected.length && timingSafeEqual(signature, expected),
  );
  if (!isGenuine) throw new Error("the signature of the webhook is wrong");
}

async function request(method, path, body) {
  const response = await fetch(url + path, {
    method,
    headers: { authorization: `Bearer ${apiKey}`, ...(body && { "content-type": "application/json" }) },
    body: body && JSON.stringify(body),
    signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
  });
  const content = await response.json();
  if (!response.ok)
    throw new Error(
      `${method} ${path.split("?")[0]}: ${response.status} ${content.error?.code}: ${content.error?.message}`,
    );
  return content;
}

/** Fails with the reason if the time is over. */
async function pause(reason) {
  if (Date.now() > endsAt) throw new Error(`after ${timeoutSeconds} s ${reason}`);
  await new Promise((resolve) => setTimeout(resolve, RETRY_EVERY_MS));
}
