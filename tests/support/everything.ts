// Makes a tenant use everything: rows in every table, files, and messages that stay in queues.
import { randomBytes } from "node:crypto";
import { apiClient, authenticator, bearer, type Receiver, until } from "@tradepost/testing";
import { dataOf } from "./data-of.ts";
import type { TestPlatform, TestTenant } from "./test-platform.ts";
import { PNG, upload } from "./upload.ts";

const EVENTS = ["redirect.added", "content.entry.published"];
const ADDRESS = { line1: "1 Main Street", city: "Springfield", country: "US" };

/** Returns the bytes of an uploaded file. The receiver's paths that begin with `/failing` must fail. */
export async function useEverything(
  { url, pools }: TestPlatform,
  tenant: TestTenant,
  receiver: Receiver,
): Promise<Buffer> {
  const { owner, key, tenantId } = tenant;
  const made = async (path: string, body: unknown, who = key, headers = {}) => {
    const response = await who.post(path, body, headers);
    if (response.status >= 300) throw new Error(`${path}: ${response.status} ${response.text}`);
    return response.body.data;
  };
  // Gateway: staff with a set-up link, staff with a second factor, and a rotated key.
  await made("/v1/users", { email: `staff@${tenantId}.example`, name: "Staff", role: "viewer" }, owner, {
    "idempotency-key": "staff",
  });
  await startSigningIn(url, { owner, tenantId });
  await pools.gateway.query(
    `insert into identities (tenant_id, user_id, issuer, subject, email)
     select tenant_id, id, 'https://id.example', id, email from users where tenant_id = $1 limit 1`,
    [tenantId],
  );
  const { id: keyId } = await made("/v1/api-keys", { label: "second", scopes: ["read:crm"] }, owner);
  await made(`/v1/api-keys/${keyId}/rotate`, {}, owner);
  // Orders.
  const items = [{ sku: "A", name: "Mug", quantity: 2, unitPrice: 5 }];
  const { id: orderId } = await made(
    "/v1/orders",
    { customerId: tenant.customerId, items, shippingAddress: ADDRESS, metadata: { tenant: tenantId } },
    key,
    { "idempotency-key": "order" },
  );
  await made(`/v1/orders/${orderId}/payments`, { status: "succeeded", reference: "p" });
  await made(`/v1/orders/${orderId}/refund`, { amount: 1, reason: "broken", reference: "r" });
  // Subscriptions, created before the events.
  const subscribe = async (path: string): Promise<string> =>
    (await tenant.subscribe(receiver.url + path, EVENTS)).id;
  const [moved, failing] = [await subscribe("/moved"), await subscribe("/failing")];
  const [paused, deleted] = [await subscribe("/paused"), await subscribe("/deleted")];
  await owner.patch(`/v1/webhooks/subscriptions/${moved}`, { url: `${receiver.url}/delivered` });
  for (const id of [paused, deleted])
    await owner.patch(`/v1/webhooks/subscriptions/${id}`, { active: false });
  const { id: listenerId } = await made("/v1/webhooks/listeners", { events: EVENTS });
  // Content, with an event for each subscription.
  await owner.put("/v1/content-types/article", { name: "Article", fields: [] });
  const entry = await made("/v1/entries", { type: "article", slug: "live", data: {} });
  await made(`/v1/entries/${entry.id}/publish`, {});
  const scheduled = await made("/v1/entries", { type: "article", slug: "scheduled", data: {} });
  const publishAt = new Date(Date.now() + 86_400_000).toISOString();
  await made(`/v1/entries/${scheduled.id}/schedule`, { publishAt });
  await made("/v1/redirects", { from: "/a", to: "/b" }, key, { "idempotency-key": "redirect" });
  dataOf(await upload(key, PNG, "pixel.png"), 201);
  const file = randomBytes(300_000);
  dataOf(await upload(key, file, "noise.bin"), 201);
  // Wait for deliveries in all states.
  const count = async (service: "content" | "webhooks" | "gateway", rows: string) => {
    const text = `select count(*)::int as count from ${rows.replace("$tenant", "tenant_id = $1")}`;
    return (await pools[service].query<{ count: number }>(text, [tenantId])).rows[0]?.count ?? 0;
  };
  const deadLetters = () => count("webhooks", "dead_letters where $tenant and published_at is not null");
  await until("the dead letters", async () => (await deadLetters()) === 2);
  await made(`/v1/webhooks/subscriptions/${failing}/recover`, { since: "2026-01-01T00:00:00Z" }, owner);
  await owner.delete(`/v1/webhooks/subscriptions/${deleted}`);
  const leased = await made(`/v1/webhooks/listeners/${listenerId}/lease`, { limit: 1, waitSeconds: 5 });
  const path = `/v1/webhooks/listeners/${listenerId}/deliveries/${leased[0].deliveryId}/result`;
  await made(path, { attempt: 1, statusCode: 500, responseBody: "no", durationMs: 1 });
  const isOpen = "deliveries where $tenant and status <> 'paused' and queue_state <> 'waiting'";
  await until("the end of all deliveries but those that wait", async () => {
    const open = await count("webhooks", isOpen);
    const dead = await deadLetters();
    const notes = await count("webhooks", "reconciliations where $tenant");
    const running = await count("webhooks", "replays where $tenant and has_work");
    return open === 0 && dead === 2 && notes === 0 && running <= 1;
  });
  await until("the derivatives and the audit entries", async () => {
    const media = await count("content", "media where $tenant and status in ('uploaded', 'processing')");
    const entries = await count("gateway", "audit_log where $tenant and action like 'webhook_%'");
    return media === 0 && entries >= 9;
  });
  // Otherwise its usage would be counted at some time during the test.
  if ((await owner.get("/v1/usage")).status !== 200) throw new Error("its usage was not counted");
  const last = await apiClient(url, bearer(tenant.ownerToken)).get("/v1/me");
  const requestId = last.headers.get("x-request-id");
  await until("the log of the last request", async () => {
    return (await count("gateway", `requests where $tenant and request_id = '${requestId}'`)) === 1;
  });
  return file;
}

/** Signs in a user with a second factor, up to the code. */
async function startSigningIn(url: string, { owner, tenantId }: Pick<TestTenant, "owner" | "tenantId">) {
  const credentials = { email: `protected@${tenantId}.example`, password: "correct horse battery 4711" };
  const anyone = apiClient(url);
  await owner.post("/v1/users", { ...credentials, name: "Protected", role: "viewer" });
  const { token } = (await anyone.post("/v1/auth/login", credentials)).body.data;
  const user = apiClient(url, bearer(token));
  const { secret } = (await user.post("/v1/me/second-factor", { currentPassword: credentials.password })).body
    .data;
  await user.post("/v1/me/second-factor/confirm", { code: await authenticator(secret).unused() });
  const { status, body } = await anyone.post("/v1/auth/login", credentials);
  if (body.data?.secondFactor === undefined) throw new Error(`no second factor: ${status}`);
}
