// Services that are down, slow, cut off or not HTTP, and the gateway's own database: the caller gets a complete error envelope
// that says which, and never half a response or an internal message.
import { apiClient, type ClientResponse, until } from "@tradepost/testing";
import { json, type Respond, startByteServer, useRecordingUpstream } from "./support/recording-upstream.ts";
import { useGateway } from "./support/test-gateway.ts";

// Long enough for a service that responds, even on a busy machine.
const UPSTREAM_TIMEOUT_MS = "2000";

const upstream = await useRecordingUpstream();
const nonsense = await startByteServer("220 smtp.example ESMTP\r\n");
afterAll(nonsense.stop);
const gateway = await useGateway({
  ...{ ORDERS_URL: upstream.url, CONTENT_URL: nonsense.url, UPSTREAM_TIMEOUT_MS },
});
const tenant = await gateway.createTenant();

const FAILED = [502, "upstream_unavailable"] as const;
const TIMED_OUT = [504, "upstream_timeout"] as const;
const UNAVAILABLE = [503, "service_unavailable"] as const;

const expectFailure = (response: ClientResponse, status: number, code: string) => {
  expect(response.body).toEqual({
    success: false,
    error: { code, message: expect.any(String), requestId: response.headers.get("x-request-id") },
  });
  expect(response.status).toBe(status);
  expect(response.text).not.toMatch(/127\.0\.0\.1|ECONN|socket|undici|UND_|parse|postgres|terminated/i);
};

describe("a service that does not respond properly", () => {
  const beginning = '{"success":true,"data":';
  const begin = (res: Parameters<Respond>[0], then = () => {}) =>
    res.writeHead(200, { "content-type": "application/json", "content-length": 100 }).write(beginning, then);
  const page = (status: number, headers = {}): Respond => {
    return (res) => res.writeHead(status, { "content-type": "text/html", ...headers }).end("<h1>Sorry</h1>");
  };

  // The tests run at the same time, because two of them wait for a timeout. The path of a request says how to respond to it.
  const reactions = new Map<string, Respond>();
  const react: Respond = (res, recorded) => reactions.get(recorded.req.url ?? "")?.(res, recorded);
  test.concurrent.each<[string, number, string, Respond]>([
    ["closes without a response", ...FAILED, (res) => res.destroy()],
    ["is cut off in its response", ...FAILED, (res) => begin(res, () => res.destroy())],
    ["is cut off in a chunked response", ...FAILED, (res) => res.write(beginning, () => res.destroy())],
    ["never begins its response", ...TIMED_OUT, () => undefined],
    ["stops in the middle of its response", ...TIMED_OUT, (res) => begin(res)],
    ["does not accept the gateway's signature", ...FAILED, json({ error: { code: "unauthorized" } }, 401)],
    ["is behind a proxy that says when to try again", ...UNAVAILABLE, page(503, { "retry-after": "1" })],
    ["is behind a proxy that may have sent the request", ...FAILED, page(503)],
    [
      "is behind a proxy with a page without an end",
      ...FAILED,
      (res) => {
        res.writeHead(502, { "content-type": "text/html" });
        const more = setInterval(() => res.write(Buffer.alloc(64 * 1024)), 1);
        res.once("close", () => clearInterval(more));
      },
    ],
    ["is behind a proxy that cannot reach it", ...FAILED, (res) => res.writeHead(502).end()],
    ["is behind a proxy that has waited long enough", ...TIMED_OUT, page(504)],
  ])("that %s gives %i %s", async (_what, status, code, reaction) => {
    upstream.respondWith(react);
    const path = `/v1/orders?case=${reactions.size}`;
    reactions.set(path, reaction);
    const responses = [tenant.owner.get(path), tenant.owner.post(path, { items: [] })];
    for (const response of await Promise.all(responses)) expectFailure(response, status, code);
  });

  test("that speaks another protocol gives 502", async () => {
    expectFailure(await tenant.owner.get("/v1/redirects"), ...FAILED);
  });

  test("that is down gives 503 with Retry-After", async () => {
    const response = await tenant.owner.get("/v1/webhooks/subscriptions");
    expectFailure(response, ...UNAVAILABLE);
    expect(response.headers.get("retry-after")).toMatch(/^[1-9]\d*$/);
  });

  test("does not get a request twice that it may have executed", async () => {
    upstream.respondWith((res) => res.destroy());
    const before = upstream.recorded.length;
    await tenant.owner.post("/v1/orders", {});
    expect(upstream.recorded.length - before).toBe(1);
  });

  test("responds normally to the requests after a failure", async () => {
    upstream.respondWith(json('{"success":true}'));
    const responses = await Promise.all(Array.from({ length: 20 }, () => tenant.owner.get("/v1/orders")));
    expect(responses.map(({ status, text }) => [status, text])).toEqual(
      responses.map(() => [200, '{"success":true}']),
    );
  });
});

describe("the gateway's signature", () => {
  test("is named at /readyz while every service refuses it, until one accepts it", async () => {
    const { url } = await gateway.startReplica(upstream.settings);
    const ready = (path = "/readyz") => apiClient(url).get(path);
    const refuse = (reason: string) => json({}, 401, { "x-signature-refused": reason });
    upstream.respondWith(refuse("expired"));
    await until("the clock", async () => (await ready()).body.missing.includes("clock"));
    await until("the services by name", async () => {
      const { missing } = (await ready("/readyz/deep")).body;
      return missing.includes("clock") && missing.includes("orders");
    });
    upstream.respondWith(refuse("mismatch"));
    await until("the secret", async () => (await ready()).body.missing.includes("secret"));
    upstream.respondWith(json({}, 404));
    await until("the gateway to be ready", async () => (await ready()).status === 200);
  });
});

test("without its database the gateway is alive but not ready, and refuses every caller until it is back", async () => {
  const { anyone } = gateway;
  const { client: asKey } = await gateway.createKey(tenant);
  expect((await anyone.get("/readyz")).status).toBe(200);
  await gateway.databaseLink.refuse();
  expect((await anyone.get("/healthz")).status).toBe(200);
  expect(await anyone.get("/readyz")).toMatchObject({ status: 503, body: { missing: ["database"] } });
  for (const response of [
    await asKey.get("/v1/me"),
    await asKey.get("/v1/orders"),
    await tenant.owner.get("/v1/me"),
    await tenant.owner.post("/v1/api-keys", { label: "y", scopes: [] }),
    await gateway.signIn(tenant.email, tenant.password),
  ]) {
    expectFailure(response, ...UNAVAILABLE);
    expect(response.headers.get("retry-after")).toMatch(/^[1-9]\d*$/);
  }
  expect((await anyone.get("/v1/me")).status).toBe(401);
  await gateway.databaseLink.restore();
  await until("a response", async () => (await asKey.get("/v1/me")).status === 200);
  expect((await tenant.owner.get("/v1/api-keys")).body.data).toHaveLength(1);
  await until("the gateway to be ready", async () => (await anyone.get("/readyz")).status === 200);
});
