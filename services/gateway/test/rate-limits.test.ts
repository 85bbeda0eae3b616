// The limit on the cost per second of one key or user, and the headers that show it.
import net from "node:net";
import { apiClient, type ClientResponse, listenLocally, testRedisUrl, until } from "@tradepost/testing";
import { settings } from "../src/config.ts";
import { useRecordingUpstream } from "./support/recording-upstream.ts";
import { isIn, useGateway } from "./support/test-gateway.ts";

const PER_SECOND = 5;
const redisUrl = testRedisUrl();

const upstream = await useRecordingUpstream();
const gateway = await useGateway();
const tenant = await gateway.createTenant();

describe("rate limits", () => {
  /** A client with a key of its own. */
  const newCaller = async (url: string) => gateway.as((await gateway.createKey(tenant)).key, url);
  const many = <Item>(count: number, item: () => Item) => Array.from({ length: count }, item);
  const headersOf = ({ headers }: ClientResponse) =>
    ["ratelimit-limit", "ratelimit-remaining", "ratelimit-reset"].map((name) => headers.get(name));
  const statusesOf = async (count: number, send: () => Promise<ClientResponse>) =>
    (await Promise.all(many(count, send))).map(({ status }) => status);
  const isInDebt = ({ status, headers }: ClientResponse) =>
    status === 429 && Number(headers.get("retry-after")) >= 2;
  const order = (lineCount: number) => ({
    customerId: "c",
    items: many(lineCount, () => ({ sku: "A", name: "a" })),
  });

  test("are 100 per second for a caller and 400 for a tenant by default", () => {
    expect(settings.shape.RATE_LIMIT_PER_SECOND.parse(undefined)).toBe(100);
    expect(settings.shape.TENANT_RATE_LIMIT_PER_SECOND.parse(undefined)).toBe(400);
  });

  test("are shown in every authenticated response, including forwarded and refused ones, unless they are 0", async () => {
    const { url } = await gateway.startReplica({ RATE_LIMIT_PER_SECOND: "100" });
    const client = await newCaller(url);
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
    for (const without of [apiClient(url), await newCaller(gateway.url)])
      expect(headersOf(await without.get("/v1/me"))).toEqual([null, null, null]);
  });

  test("refuse a key beyond the burst with 429 and Retry-After, until a token is available", async () => {
    const settings = { RATE_LIMIT_PER_SECOND: String(PER_SECOND), METRICS_PORT: "0" };
    const replica = await gateway.startReplica(settings);
    const key = await newCaller(replica.url);
    const responses = await Promise.all(Array.from({ length: 10 * PER_SECOND }, () => key.get("/v1/me")));
    const refused = responses.filter(({ status }) => status === 429);
    expect(responses.length - refused.length).toBeGreaterThanOrEqual(2 * PER_SECOND);
    expect(refused.length).toBeGreaterThan(0);
    for (const response of refused) {
      expect(response.body.error.code).toBe("rate_limited");
      expect(response.headers.get("retry-after")).toBe("1");
      expect(headersOf(response)).toEqual([String(2 * PER_SECOND), "0", "2"]);
    }
    const counted = await gateway.metrics(replica);
    expect(counted('requests_limited_total{limit="rate"}')).toBe(refused.length);
    expect(await isIn(await newCaller(replica.url))).toBe(true);
    await until("a token to be available", async () => (await key.get("/v1/me")).status === 200);
  });

  test("count every full 64 KiB of a body, and every full 256 KiB of a response once it is written", async () => {
    const large = Buffer.alloc(1024 * 1024);
    upstream.respondWith((res) => res.end(large));
    const slow = await gateway.startReplica({
      RATE_LIMIT_PER_SECOND: "1",
      ORDERS_URL: upstream.url,
      TENANT_RATE_LIMIT_PER_SECOND: "10",
    });
    const reader = await newCaller(slow.url);
    expect((await reader.get("/v1/orders")).status).toBe(200);
    // 1 for the request and 4 for its response leave a debt of 3; a request needs 1 more, at 1 per second.
    await until("the charge for the response", async () => isInDebt(await reader.get("/v1/me")));
    const writer = await newCaller(slow.url);
    const { headers } = await writer.post("/v1/orders", { text: "x".repeat(10 * 64 * 1024) });
    expect(headers.get("ratelimit")).toMatch(/^"default";r=0;t=1[01], "tenant";r=\d+;t=\d+$/);
  });

  test("count every full 10 ms that a service worked on a heavy response", async () => {
    upstream.respondWith((res) => res.setHeader("x-work-ms", "49.9").end("{}"));
    const { url } = await gateway.startReplica({ RATE_LIMIT_PER_SECOND: "1", ORDERS_URL: upstream.url });
    const reader = await newCaller(url);
    const response = await reader.get("/v1/orders");
    expect([response.status, response.headers.get("x-work-ms")]).toEqual([200, null]);
    await until("the charge for the work", async () => isInDebt(await reader.get("/v1/me")));
  });

  test("count all keys of a tenant together, and not those of another tenant", async () => {
    const replica = await gateway.startReplica({
      RATE_LIMIT_PER_SECOND: "100",
      TENANT_RATE_LIMIT_PER_SECOND: "1",
      METRICS_PORT: "0",
    });
    const keys = await Promise.all(many(5, () => newCaller(replica.url)));
    const responses = await Promise.all(keys.flatMap((key) => many(20, () => key.get("/v1/me"))));
    const refused = responses.filter(({ status }) => status === 429);
    expect(refused.length).toBeGreaterThan(0);
    for (const { headers, body } of refused) {
      expect(body.error.message).toBe("Too many requests of this tenant.");
      expect(headers.get("retry-after")).toBe("1");
      expect(headers.get("ratelimit-policy")).toBe('"default";q=200;w=2, "tenant";q=2;w=2');
      expect(headers.get("ratelimit")).toMatch(/^"default";r=1\d\d;t=\d, "tenant";r=0;t=2$/);
      expect(headers.get("ratelimit-limit")).toBe("2");
    }
    const counted = await gateway.metrics(replica);
    expect(counted('requests_limited_total{limit="tenant_rate"}')).toBe(refused.length);
    const stranger = await gateway.createKey(await gateway.createTenant());
    expect(await isIn(gateway.as(stranger.key, replica.url))).toBe(true);
  });

  test("admit one of several concurrent costly requests", async () => {
    const { url } = await gateway.startReplica({ RATE_LIMIT_PER_SECOND: "100" });
    const key = await newCaller(url);
    const orders = many(100, () => order(500));
    const statuses = await statusesOf(4, () => key.post("/v1/orders/bulk", { orders }));
    expect(statuses.sort()).toEqual([429, 429, 429, 503]);
  });

  test("are counted by each replica while Redis cannot be reached", async () => {
    const away = { RATE_LIMIT_REDIS_URL: "redis://127.0.0.1:9" };
    const { url } = await gateway.startReplica({ RATE_LIMIT_PER_SECOND: String(PER_SECOND), ...away });
    const key = await newCaller(url);
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
    expect(await isIn(await newCaller(url))).toBe(true);
    await silent.stop();
  });

  (redisUrl === undefined ? test.skip : test)(
    "are shared by all replicas through Redis (if Redis is available)",
    async () => {
      const shared = { RATE_LIMIT_PER_SECOND: String(PER_SECOND), RATE_LIMIT_REDIS_URL: redisUrl ?? "" };
      const replicas = [await gateway.startReplica(shared), await gateway.startReplica(shared)];
      const [one = "", other = ""] = replicas.map(({ url }) => url);
      await until("a limit that both replicas apply", async () => {
        const { key } = await gateway.createKey(tenant);
        const orders = many(4, () => order(500));
        const costly = await gateway.as(key, one).post("/v1/orders/bulk", { orders });
        const next = await gateway.as(key, other).get("/v1/me");
        // A cost of 21 in a bucket of 10 is a debt of 11; with 1 token for the request, at 5 per second, more than 2 s.
        return costly.status === 503 && isInDebt(next) && (await isIn(await newCaller(other)));
      });
    },
  );
});
