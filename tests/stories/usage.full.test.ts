// A tenant's usage and quotas: a tenant that has used one up is refused while other tenants continue (interface §19).
import {
  type ApiClient,
  apiClient,
  bearer,
  type ClientResponse,
  readMetrics,
  until,
} from "@tradepost/testing";
import { opsJsonOn, opsOn } from "../support/run-ops.ts";
import { startTestPlatform, type TestTenant } from "../support/test-platform.ts";
import { upload } from "../support/upload.ts";

const EVENT_BYTES_MAX = 1_000_000;

const platform = await startTestPlatform(
  { TENANT_EVENT_BYTES_MAX: String(EVENT_BYTES_MAX), TENANT_MEDIA_BYTES_MAX: "0" },
  ...[undefined, undefined],
  { usage: { checkEveryMs: 100, freshMs: 0 } },
);
afterAll(() => platform.stop());

const ops = (...words: string[]) => opsOn(platform)("tenant", "quota", ...words);
const opsJson = (...words: string[]) => opsJsonOn(platform)("tenant quota", ...words);
const outcome = ({ status, body }: ClientResponse) =>
  [status, body.error?.code, body.error?.quota].filter((part) => part !== undefined).join(" ");
const usageOf = async (tenant: TestTenant) => (await tenant.owner.get("/v1/usage")).body.data;
const uploadBytes = (client: ApiClient, bytes: number) => upload(client, Buffer.alloc(bytes), "file.bin");
const order = (tenant: TestTenant, more: object = {}) =>
  tenant.key.post("/v1/orders", {
    customerId: tenant.customerId,
    currency: "USD",
    items: [{ sku: "A-1", name: "Mug", unitPrice: 10 }],
    ...more,
  });
/** Writes an event of about 60 KB until the tenant is refused. */
const fillEvents = async (tenant: TestTenant) =>
  until("the event quota holds", async () => {
    const response = await order(tenant, { metadata: { text: "x".repeat(60_000) } });
    return response.status !== 201 && response;
  });

test("counts every change, and the requests of each day", async () => {
  const tenant = await platform.createTenant();
  const before = await usageOf(tenant);
  expect(before).toMatchObject({
    ...{ orders: 0, customers: 1, entries: 0, redirects: 0, mediaBytes: 0, deliveriesWaiting: 0 },
    quotas: { mediaBytes: null, eventBytes: EVENT_BYTES_MAX },
  });
  const [placed, cancelled] = [await order(tenant), await order(tenant)];
  expect((await tenant.key.post(`/v1/orders/${cancelled.body.data.id}/cancel`)).status).toBe(200);
  expect(placed.status).toBe(201);
  await tenant.key.post("/v1/customers", { name: "Ada" });
  await tenant.owner.put("/v1/content-types/article", { name: "Article", fields: [] });
  const entries = [];
  for (const slug of ["one", "two"])
    entries.push((await tenant.key.post("/v1/entries", { type: "article", slug, data: {} })).body.data);
  const redirect = (await tenant.key.post("/v1/redirects", { from: "/a", to: "/b" })).body.data;
  const media = (await uploadBytes(tenant.key, 1_000)).body.data;
  await uploadBytes(tenant.key, 234);
  const events = await until("all events are published", async () => {
    const { eventBytes } = await usageOf(tenant);
    return eventBytes > before.eventBytes && eventBytes;
  });
  expect(await usageOf(tenant)).toMatchObject({
    ...{ orders: 2, customers: 2, entries: 2, redirects: 1, mediaBytes: 1_234 },
  });
  await tenant.key.delete(`/v1/media/${media.id}`);
  await tenant.key.delete(`/v1/entries/${entries[0].id}`);
  await tenant.key.delete(`/v1/redirects/${redirect.id}`);
  const after = await until("deletions are counted", async () => {
    const usage = await usageOf(tenant);
    return usage.requests[0]?.count > 10 && usage;
  });
  expect(after).toMatchObject({ ...{ orders: 2, customers: 2, entries: 1, redirects: 0, mediaBytes: 234 } });
  expect(after.eventBytes).toBeGreaterThan(events);
  expect(after.requests).toEqual([
    { day: expect.stringMatching(/^\d{4}-\d\d-\d\d$/), count: expect.any(Number), refused: 0 },
  ]);
});

test("a tenant stops at its event quota; reads, deletions and others go on", async () => {
  const [tenant, other] = await Promise.all([platform.createTenant(), platform.createTenant()]);
  const redirect = (await tenant.key.post("/v1/redirects", { from: "/a", to: "/b" })).body.data;
  const placed = await order(tenant);
  const media = (await uploadBytes(tenant.key, 10)).body.data;
  const once = { "idempotency-key": "once" };
  const input = { from: "/once", to: "/b" };
  const first = await tenant.key.post("/v1/redirects", input, once);
  expect(first.status).toBe(201);
  const refused = await fillEvents(tenant);
  expect(outcome(refused)).toBe("409 quota_exceeded eventBytes");
  const change = { name: "Grace" };
  const all = await Promise.all([
    order(tenant),
    tenant.key.post(`/v1/orders/${placed.body.data.id}/payments`, { status: "succeeded" }),
    tenant.key.patch(`/v1/orders/${placed.body.data.id}`, { internalNote: "new" }),
    tenant.key.post("/v1/customers", change),
    tenant.key.patch(`/v1/customers/${tenant.customerId}`, change),
    tenant.key.put("/v1/customers/by-external-id/7", change),
    tenant.owner.put("/v1/content-types/article", { name: "Article", fields: [] }),
    tenant.key.post("/v1/redirects", { from: "/c", to: "/d" }),
    uploadBytes(tenant.key, 10),
  ]);
  expect(new Set(all.map(outcome))).toEqual(new Set(["409 quota_exceeded eventBytes"]));
  // Requests that are refused for another reason still get that refusal, and a repeated request gets its first response.
  expect(outcome(await tenant.key.post("/v1/redirects", { from: "c", to: "/d" }))).toBe(
    "422 validation_error",
  );
  const repeated = await tenant.key.post("/v1/redirects", input, once);
  expect([repeated.status, repeated.body.data.id]).toEqual([201, first.body.data.id]);
  expect((await tenant.key.get("/v1/orders")).status).toBe(200);
  expect((await tenant.key.delete(`/v1/redirects/${redirect.id}`)).status).toBe(200);
  expect((await tenant.key.delete(`/v1/media/${media.id}`)).status).toBe(200);
  const bulk = await tenant.key.post("/v1/orders/bulk", {
    orders: [
      { customerId: tenant.customerId, currency: "USD", items: [{ sku: "A", name: "M", unitPrice: 1 }] },
    ],
  });
  expect({ status: bulk.status, body: bulk.body }).toMatchObject({ status: 200, body: { success: true } });
  expect(bulk.body.data[0]).toMatchObject({
    success: false,
    error: { code: "quota_exceeded", quota: "eventBytes" },
  });
  expect((await order(other)).status).toBe(201);
  expect((await tenant.owner.post("/v1/api-keys", { label: "Not an event", scopes: [] })).status).toBe(201);
  const metric = await readMetrics(platform.urls.content);
  expect(metric('quota_refusals_total{quota="eventBytes"}')).toBeGreaterThan(0);

  // Another replica, also one after a restart, refuses from its first request on.
  const replica = await platform.startGateway();
  const elsewhere = apiClient(replica.url, bearer(tenant.apiKey));
  expect(outcome(await elsewhere.post("/v1/redirects", { from: "/c", to: "/d" }))).toBe(
    "409 quota_exceeded eventBytes",
  );

  const { slug } = (await tenant.owner.get("/v1/me")).body.data.tenant;
  expect(await opsJson(slug, "--event-bytes", "0")).toMatchObject({
    tenantId: tenant.tenantId,
    quotas: { mediaBytes: null, eventBytes: 0 },
  });
  expect((await order(tenant)).status).toBe(201);
});

test("the operator's command shows and sets quotas, and refuses nonsense", async () => {
  const tenant = await platform.createTenant();
  const id = tenant.tenantId;
  expect(await opsJson(id)).toMatchObject({ tenantId: id, quotas: { mediaBytes: null, eventBytes: null } });
  const set = await opsJson(id, "--media-bytes", "5", "--event-bytes", "9007199254740991");
  expect(set.quotas).toEqual({ mediaBytes: 5, eventBytes: 9_007_199_254_740_991 });
  expect((await opsJson(id, "--media-bytes", "5")).quotas).toEqual(set.quotas);
  expect((await opsJson(id, "--default")).quotas).toEqual({ mediaBytes: null, eventBytes: null });
  for (const nonsense of ["-1", "1e30", "1.5", "ten", "", "9007199254740992"]) {
    const { code, stderr } = await ops(id, `--media-bytes=${nonsense}`);
    expect([nonsense, code, stderr]).toEqual([nonsense, 1, expect.stringContaining("whole number")]);
  }
  expect(await ops(id, "--default", "--media-bytes", "1")).toMatchObject({ code: 1 });
  expect(await ops("nobody")).toMatchObject({ code: 1, stderr: expect.stringContaining("no tenant") });
  const { rows } = await platform.pools.gateway.query(
    "select action, changes from audit_log where tenant_id = $1 and target_type = 'tenant' order by id",
    [id],
  );
  expect(rows).toEqual([
    { action: "tenant.quotas_set", changes: { mediaBytes: 5, eventBytes: 9_007_199_254_740_991 } },
    { action: "tenant.quotas_set", changes: { mediaBytes: null, eventBytes: null } },
  ]);
});

test("says which service it could not ask", async () => {
  const tenant = await platform.createTenant();
  await platform.stopOrders();
  const { status, body, headers } = await tenant.owner.get("/v1/usage");
  expect([status, body.error.message, headers.get("retry-after")]).toEqual([
    503,
    "The figures of the orders service are not available; try again.",
    "2",
  ]);
  // The counts of the other services still apply.
  await opsJson(tenant.tenantId, "--media-bytes", "10");
  await until("the media quota holds", async () => (await uploadBytes(tenant.key, 10)).status === 409);
});
