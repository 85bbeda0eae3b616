// The limit on the cost per second of one key or user, and the headers that show it.
import http from "node:http";
import net from "node:net";
import { describe, expect, test } from "@jest/globals";
import {
  apiClient,
  bearer,
  type ClientResponse,
  listenLocally,
  testRedisUrl,
  until,
} from "@tradepost/testing";
import { settings } from "../src/config.ts";
import { useGateway } from "./support/test-gateway.ts";

const PER_SECOND = 5;
const redisUrl = testRedisUrl();

const gateway = await useGateway();
const unlimited = gateway.url;
const tenant = await gateway.createTenant();

describe("rate limits", () => {
  async function keyOf(scopes: string[] = []) {
    const { body } = await tenant.owner.post("/v1/api-keys", { label: "limited", scopes });
    return body.data.key as string;
  }
  async function startWithMetrics(overrides: Record<string, string>) {
    const { url, metricsUrl } = await gateway.startReplica({ ...overrides, METRICS_PORT: "0" });
    return { url, metrics: async () => await (await fetch(metricsUrl ?? "")).text() };
  }
  const many = <Item>(count: number, item: () => Item) => Array.from({ length: count }, item);
  const headersOf = ({ headers }: ClientResponse) =>
    ["ratelimit-limit", "ratelimit-remaining", "ratelimit-reset"].map((name) => headers.get(name));
  const statusesOf = async (count: number, send: () => Promise<ClientResponse>) =>
    (await Promise.all(many(count, send))).map(({ status }) => status);
  const order = (lineCount: number) => ({
    customerId: "c",
    items: many(lineCount, () => ({ sku: "A", name: "a" })),
  });

  test("are 100 per second for a caller and 400 for a tenant by default", () => {
    expect(settings.shape.RATE_LIMIT_PER_SECOND.parse(undefined)).toBe(100);
    expect(settings.shape.TENANT_RATE_LIMIT_PER_SECOND.parse(undefined)).toBe(400);
  });

  test("are off at 0, without headers", async () => {
    const response = await apiClient(unlimited, bearer(await keyOf())).get("/v1/me");
    expect(headersOf(response)).toEqual([null, null, null]);
  });

  test("are shown in every authenticated response, including forwarded and refused ones", async () => {
    const { url } = await gateway.startReplica({ RATE_LIMIT_PER_SECOND: "100" });
    const client = apiClient(url, bearer(await keyOf()));
    const responses = [
      await client.get("/v1/me"),
      await client.get("/v1/api-keys"),
      await client.get("/v1/nothing"),
      await client.get("/v1/orders"),
      await client.get("/v1/api-keys/%zz"),
      await client.post("/v1/api-keys", "x".repeat(3 * 1024 * 1024)),
      await client.post("/v1/orders", order(100)),
    ];
    expect(responses.map(({ status }) => status)).toEqual([200, 403, 404, 503, 404, 403, 503]);
    for (const response of responses)
      expect(headersOf(response)).toEqual(["200", expect.stringMatching(/^1\d\d$/), "1"]);
    expect(headersOf(await apiClient(url).get("/v1/me"))).toEqual([null, null, null]);
  });

  test("refuse a key beyond the burst with 429 and Retry-After, until a token is available", async () => {
    const { url, metrics } = await startWithMetrics({ RATE_LIMIT_PER_SECOND: String(PER_SECOND) });
    const key = apiClient(url, bearer(await keyOf()));
    const responses = await Promise.all(Array.from({ length: 10 * PER_SECOND }, () => key.get("/v1/me")));
    const refused = responses.filter(({ status }) => status === 429);
    expect(responses.length - refused.length).toBeGreaterThanOrEqual(2 * PER_SECOND);
    expect(refused.length).toBeGreaterThan(0);
    for (const response of refused) {
      expect(response.body.error.code).toBe("rate_limited");
      expect(response.headers.get("retry-after")).toBe("1");
      expect(headersOf(response)).toEqual([String(2 * PER_SECOND), "0", "2"]);
    }
    expect(await metrics()).toContain(
      `requests_limited_total{limit="rate",service="gateway"} ${refused.length}`,
    );
    expect((await apiClient(url, bearer(await keyOf())).get("/v1/me")).status).toBe(200);
    await until("a token to be available", async () => (await key.get("/v1/me")).status === 200);
  });

  test("count every full 100 order lines, and leave a debt after a request above the burst", async () => {
    const slow = await gateway.startReplica({ RATE_LIMIT_PER_SECOND: "1" });
    const key = apiClient(slow.url, bearer(await keyOf()));
    // The gateway has no services here, so 503 means that the request was admitted.
    const bulk = await key.post("/v1/orders/bulk", { orders: many(60, () => order(500)) });
    expect([bulk.status, bulk.headers.get("ratelimit-remaining")]).toEqual([503, "0"]);
    const { status, headers } = await key.get("/v1/me");
    expect(status).toBe(429);
    // A debt of 309 tokens (1, 300 for the lines and 10 for the bytes, of 2), and 1 token for the request, at 1 per second: 310 s,
    // less the time of the test so far.
    const retryAfterSeconds = Number(headers.get("retry-after"));
    expect(retryAfterSeconds).toBeGreaterThan(280);
    expect(retryAfterSeconds).toBeLessThanOrEqual(310);
    expect(Number(headers.get("ratelimit-reset"))).toBe(retryAfterSeconds + 1);
  });

  test("count every full 64 KiB of a body, and every full 256 KiB of a response once it is written", async () => {
    const large = Buffer.alloc(1024 * 1024);
    const upstream = await listenLocally(http.createServer((_req, res) => void res.end(large)));
    const slow = await gateway.startReplica({
      RATE_LIMIT_PER_SECOND: "1",
      ORDERS_URL: upstream.url,
      TENANT_RATE_LIMIT_PER_SECOND: "10",
    });
    const reader = apiClient(slow.url, bearer(await keyOf()));
    expect((await reader.get("/v1/orders")).status).toBe(200);
    // 1 for the request and 4 for its response leave a debt of 3; a request needs 1 more, at 1 per second.
    await until("the charge for the response", async () => {
      const { status, headers } = await reader.get("/v1/me");
      return status === 429 && Number(headers.get("retry-after")) >= 2;
    });
    const writer = apiClient(slow.url, bearer(await keyOf()));
    const { headers } = await writer.post("/v1/orders", { text: "x".repeat(10 * 64 * 1024) });
    expect(headers.get("ratelimit")).toMatch(/^"default";r=0;t=1[01], "tenant";r=\d+;t=\d+$/);
    await upstream.stop();
  });

  test("count every full 10 ms that a service worked on a heavy response", async () => {
    const upstream = await listenLocally(
      http.createServer((_req, res) => void res.setHeader("x-work-ms", "49.9").end("{}")),
    );
    const { url } = await gateway.startReplica({
      RATE_LIMIT_PER_SECOND: "1",
      ORDERS_URL: upstream.url,
    });
    const reader = apiClient(url, bearer(await keyOf()));
    const response = await reader.get("/v1/orders");
    expect([response.status, response.headers.get("x-work-ms")]).toEqual([200, null]);
    await until("the charge for the work", async () => {
      const { status, headers } = await reader.get("/v1/me");
      return status === 429 && Number(headers.get("retry-after")) >= 2;
    });
    await upstream.stop();
  });

  test("count all keys of a tenant together, and not those of another tenant", async () => {
    const { url, metrics } = await startWithMetrics({
      RATE_LIMIT_PER_SECOND: "100",
      TENANT_RATE_LIMIT_PER_SECOND: "1",
    });
    const keys = await Promise.all(many(5, () => keyOf()));
    const responses = await Promise.all(
      keys.flatMap((key) => many(20, () => apiClient(url, bearer(key)).get("/v1/me"))),
    );
    const refused = responses.filter(({ status }) => status === 429);
    expect(refused.length).toBeGreaterThan(0);
    for (const { headers, body } of refused) {
      expect(body.error.message).toBe("Too many requests of this tenant.");
      expect(headers.get("retry-after")).toBe("1");
      expect(headers.get("ratelimit-policy")).toBe('"default";q=200;w=2, "tenant";q=2;w=2');
      expect(headers.get("ratelimit")).toMatch(/^"default";r=1\d\d;t=\d, "tenant";r=0;t=2$/);
      expect(headers.get("ratelimit-limit")).toBe("2");
    }
    expect(await metrics()).toContain(
      `requests_limited_total{limit="tenant_rate",service="gateway"} ${refused.length}`,
    );
    const stranger = await gateway.createTenant();
    const { body } = await stranger.owner.post("/v1/api-keys", { label: "other", scopes: [] });
    expect((await apiClient(url, bearer(body.data.key)).get("/v1/me")).status).toBe(200);
  });

  test("admit one of several concurrent costly requests, and charge only the bytes of lines of another route", async () => {
    const { url } = await gateway.startReplica({ RATE_LIMIT_PER_SECOND: "100" });
    const key = apiClient(url, bearer(await keyOf()));
    const orders = many(100, () => order(500));
    const statuses = await statusesOf(4, () => key.post("/v1/orders/bulk", { orders }));
    expect(statuses.sort()).toEqual([429, 429, 429, 503]);
    const other = apiClient(url, bearer(await keyOf()));
    const response = await other.post("/v1/customers", { orders });
    expect([response.status, response.headers.get("ratelimit-remaining")]).toEqual([
      503,
      expect.stringMatching(/^18\d$/),
    ]);
  });

  test("are counted by each replica while Redis cannot be reached", async () => {
    const unreachable = {
      RATE_LIMIT_PER_SECOND: String(PER_SECOND),
      RATE_LIMIT_REDIS_URL: "redis://127.0.0.1:9",
    };
    const { url } = await gateway.startReplica(unreachable);
    const key = apiClient(url, bearer(await keyOf()));
    const statuses = await statusesOf(10 * PER_SECOND, () => key.get("/v1/me"));
    expect(new Set(statuses)).toEqual(new Set([200, 429]));
  });

  test("are counted by each replica while Redis does not respond", async () => {
    const silent = await listenLocally(
      net.createServer((socket) => socket.resume().on("error", () => undefined)),
    );
    const { url } = await gateway.startReplica({
      RATE_LIMIT_PER_SECOND: "100",
      RATE_LIMIT_REDIS_URL: `redis://127.0.0.1:${silent.port}`,
    });
    expect((await apiClient(url, bearer(await keyOf())).get("/v1/me")).status).toBe(200);
    await silent.stop();
  });

  (redisUrl === undefined ? test.skip : test)(
    "are shared by all replicas through Redis (if Redis is available)",
    async () => {
      const shared = { RATE_LIMIT_PER_SECOND: String(PER_SECOND), RATE_LIMIT_REDIS_URL: redisUrl ?? "" };
      const replicas = [await gateway.startReplica(shared), await gateway.startReplica(shared)];
      const [one, other] = replicas.map(({ url }) => url);
      await until("a limit that both replicas apply", async () => {
        const key = bearer(await keyOf());
        const orders = many(4, () => order(500));
        const costly = await apiClient(one ?? "", key).post("/v1/orders/bulk", { orders });
        const next = await apiClient(other ?? "", key).get("/v1/me");
        const otherKey = await apiClient(other ?? "", bearer(await keyOf())).get("/v1/me");
        // A cost of 21 in a bucket of 10 is a debt of 11; with 1 token for the request, at 5 per second, more than 2 s.
        return (
          [costly.status, next.status, otherKey.status].join() === "503,429,200" &&
          Number(next.headers.get("retry-after")) >= 2
        );
      });
    },
  );
});
