// Listeners that wait for a delivery to lease (interface §12) take nothing that other requests need.
import { randomUUID } from "node:crypto";
import { afterAll, beforeEach, describe, expect, test } from "@jest/globals";
import { apiClient, bearer, until } from "@tradepost/testing";
import { type Respond, startRecordingUpstream } from "./support/recording-upstream.ts";
import { startTestGateway } from "./support/test-gateway.ts";

type PendingResponse = Parameters<Respond>[0];

const PATH = `/v1/webhooks/listeners/${randomUUID()}/lease`;

const upstream = await startRecordingUpstream();
const gateway = await startTestGateway({ WEBHOOKS_URL: upstream.url });
const { url } = await gateway.startReplica({ TENANT_CONCURRENCY_MAX: "2", UPSTREAM_TIMEOUT_MS: "1000" });
const tenant = await gateway.createTenant();
afterAll(async () => {
  await gateway.stop();
  await upstream.stop();
});

describe("leases that wait", () => {
  let pending: PendingResponse[];
  beforeEach(() => {
    pending = [];
    upstream.respondWith((res, { req }) => {
      if (req.url?.startsWith(PATH)) pending.push(res);
      else res.end("{}");
    });
  });

  const client = () => apiClient(url, bearer(tenant.token));
  const lease = (body: unknown = { waitSeconds: 25 }, path = PATH) => client().post(path, body);

  test.each([PATH, `${PATH}/`])(
    "200 of one tenant wait at once, and its other requests go on: %s",
    async (path) => {
      const waiting = Array.from({ length: 200 }, () => lease({ waitSeconds: 25 }, path));
      await until("all of them to wait", () => pending.length === waiting.length);
      expect((await client().get("/v1/webhooks/deliveries")).status).toBe(200);
      for (const res of pending) res.end("{}");
      expect(new Set((await Promise.all(waiting)).map(({ status }) => status))).toEqual(new Set([200]));
    },
  );

  test("a key that is revoked while it waits gets no delivery", async () => {
    const { body } = await client().post("/v1/api-keys", { label: "Laptop", scopes: ["read:content"] });
    const waiting = apiClient(url, bearer(body.data.key)).post(PATH, { waitSeconds: 25 });
    await until("it waits", () => pending.length === 1);
    expect((await client().delete(`/v1/api-keys/${body.data.id}`)).status).toBe(200);
    // Waits of a fraction of a second are not checked again.
    await new Promise((resolve) => setTimeout(resolve, 250));
    for (const res of pending) res.end("{}");
    expect((await waiting).status).toBe(401);
  });

  test("one tenant has at most 256, and other tenants wait too", async () => {
    const waiting = Array.from({ length: 256 + 64 }, () => lease());
    await until("as many as may wait", () => pending.length === 256);
    expect((await lease()).status).toBe(429);
    const stranger = await gateway.createTenant();
    const other = apiClient(url, bearer(stranger.token)).post(PATH, { waitSeconds: 25 });
    await until("the stranger to wait", () => pending.length === 257);
    upstream.respondWith((res) => res.end("{}"));
    for (const res of pending) res.end("{}");
    expect((await other).status).toBe(200);
    await Promise.all(waiting);
  });

  test("with a large body, or one of unknown length, are requests in progress", async () => {
    const large = { waitSeconds: 25, more: "x".repeat(2_000) };
    const requests = Array.from({ length: 2 + 64 + 1 }, () => lease(large));
    await until("the first of them", () => pending.length >= 2);
    upstream.respondWith((res) => res.end("{}"));
    const first = await Promise.race(requests);
    for (const res of pending) res.end("{}");
    await Promise.all(requests);
    expect(first.status).toBe(429);
  });

  test("may take longer than other requests", async () => {
    const waiting = lease();
    await until("it to wait", () => pending.length === 1);
    upstream.respondWith(() => undefined);
    expect((await client().get("/v1/webhooks/deliveries")).status).toBe(504);
    pending[0]?.end("{}");
    expect((await waiting).status).toBe(200);
  });

  test("end their request to the service when their client has gone", async () => {
    const gone = new AbortController();
    const { signal } = gone;
    const headers = { "content-type": "application/json" };
    const request = client()
      .send("POST", PATH, { signal, headers, body: '{"waitSeconds":25}' })
      .catch(() => "gone");
    await until("it to wait", () => pending.length === 1);
    gone.abort();
    await until("the service to notice", () => pending[0]?.destroyed === true);
    expect(await request).toBe("gone");
  });

  test("come to their end while the gateway stops", async () => {
    const replica = await gateway.startReplica({ DRAIN_IDLE_MS: "100" });
    const waiting = apiClient(replica.url, bearer(tenant.token)).post(PATH, { waitSeconds: 25 });
    await until("it to wait", () => pending.length === 1);
    const stopping = replica.stop();
    await until("the closed port", () =>
      fetch(`${replica.url}/healthz`).then(
        () => false,
        () => true,
      ),
    );
    pending[0]?.end("{}");
    expect((await waiting).status).toBe(200);
    await stopping;
  });

  test("are refused by a gateway that stops without a grace, and may be repeated", async () => {
    const replica = await gateway.startReplica({ DRAIN_IDLE_MS: "0" });
    const waiting = apiClient(replica.url, bearer(tenant.token)).post(PATH, { waitSeconds: 25 });
    await until("it to wait", () => pending.length === 1);
    await replica.stop();
    const { status, body } = await waiting;
    expect([status, body.error.code]).toEqual([503, "service_unavailable"]);
  });
});
