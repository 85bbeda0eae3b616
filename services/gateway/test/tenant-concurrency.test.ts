// The limit on requests of one tenant in progress: more requests wait for a while, and other tenants are not affected.
import { type ClientResponse, until } from "@tradepost/testing";
import { settings } from "../src/config.ts";
import { connectRaw, headOf } from "./support/connect-raw.ts";
import { type Respond, useRecordingUpstream } from "./support/recording-upstream.ts";
import { type TestTenant, useGateway } from "./support/test-gateway.ts";

const IN_PROGRESS_MAX = 32;
const WAITING_MAX = 64;
type PendingResponse = Parameters<Respond>[0];

const upstream = await useRecordingUpstream();
const gateway = await useGateway({ ORDERS_URL: upstream.url });
const limited = await gateway.startReplica({
  TENANT_CONCURRENCY_MAX: String(IN_PROGRESS_MAX),
  METRICS_PORT: "0",
});
const { url } = limited;
const tenant = await gateway.createTenant();
const otherTenant = await gateway.createTenant();

describe("the requests of one tenant", () => {
  let pending: PendingResponse[];
  beforeEach(() => {
    pending = [];
    upstream.recorded.length = 0;
    upstream.respondWith((res) => void pending.push(res));
  });

  const clientOf = ({ token }: TestTenant) => gateway.as(token, url);
  const many = <Item>(count: number, item: () => Item) => Array.from({ length: count }, item);
  /** Completes the pending responses, and responds to further requests at once. */
  const release = () => {
    upstream.respondWith((res) => res.end("{}"));
    for (const res of pending) res.end("{}");
  };
  const sendRaw = () => {
    const client = connectRaw(limited);
    client.socket.write(headOf(tenant.token, "GET /v1/orders"));
    return client;
  };
  const refusedCount = async () =>
    (await gateway.metrics(limited))('requests_limited_total{limit="tenant_concurrency"}') ?? 0;
  /** Begins as many requests of the tenant as may be in progress. */
  const fill = async () => {
    const orders = many(IN_PROGRESS_MAX, () => clientOf(tenant).get("/v1/orders"));
    await until("as many requests as allowed", () => pending.length === IN_PROGRESS_MAX);
    return orders;
  };

  test("are limited to 32 at a time by default", () => {
    expect(settings.shape.TENANT_CONCURRENCY_MAX.parse(undefined)).toBe(IN_PROGRESS_MAX);
  });

  test("wait beyond 32, get 429 at once beyond 64 more, and do not delay another tenant", async () => {
    const before = await refusedCount();
    const responses: ClientResponse[] = [];
    const all = many(IN_PROGRESS_MAX + WAITING_MAX + 1, () =>
      clientOf(tenant)
        .get("/v1/orders")
        .then((response) => void responses.push(response)),
    );
    await until("the refusal", () => responses.length === 1);
    const [refused] = responses;
    expect([refused?.status, refused?.body.error.code]).toEqual([429, "rate_limited"]);
    expect(refused?.headers.get("retry-after")).toBe("1");
    expect((await refusedCount()) - before).toBe(1);
    // Of the 96 requests in progress or waiting, the service has 32.
    await until("as many requests as allowed", () => upstream.recorded.length === IN_PROGRESS_MAX);
    expect((await clientOf(otherTenant).get("/v1/me")).status).toBe(200);
    expect(upstream.recorded).toHaveLength(IN_PROGRESS_MAX);
    release();
    await Promise.all(all);
    expect(responses.map(({ status }) => status).sort()).toEqual([...many(all.length - 1, () => 200), 429]);
  });

  test("include those of the gateway's own routes, but not a 401", async () => {
    const orders = await fill();
    const me = clientOf(tenant).get("/v1/me");
    expect((await clientOf(otherTenant).get("/v1/me")).status).toBe(200);
    expect((await gateway.as("x", url).get("/v1/me")).status).toBe(401);
    expect(await Promise.race([me, "waits"])).toBe("waits");
    release();
    expect((await me).status).toBe(200);
    await Promise.all(orders);
  });

  test("free their slots when their clients close the connection, in progress or waiting", async () => {
    const before = await refusedCount();
    const inProgress = many(IN_PROGRESS_MAX, sendRaw);
    await until("as many requests as allowed", () => pending.length === IN_PROGRESS_MAX);
    const waiting = many(WAITING_MAX + 1, sendRaw);
    await until("a full queue", async () => (await refusedCount()) - before === 1);
    for (const { socket } of [...waiting, ...inProgress]) socket.destroy();
    release();
    await until("all 96 slots to be free", async () => {
      pending = [];
      upstream.respondWith((res) => void pending.push(res));
      const again = many(IN_PROGRESS_MAX + WAITING_MAX, () => clientOf(tenant).get("/v1/orders"));
      await until("as many requests as allowed", () => pending.length === IN_PROGRESS_MAX);
      release();
      return (await Promise.all(again)).every(({ status }) => status === 200);
    });
  });

  test("free their slots when they fail", async () => {
    upstream.respondWith((res) => res.destroy());
    for (const _ of many(2, () => null)) {
      const responses = await Promise.all(many(IN_PROGRESS_MAX, () => clientOf(tenant).get("/v1/orders")));
      expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([502]));
    }
    const refused = await Promise.all(many(IN_PROGRESS_MAX, () => clientOf(tenant).get("/v1/nothing")));
    expect(new Set(refused.map(({ status }) => status))).toEqual(new Set([404]));
    expect((await clientOf(tenant).get("/v1/me")).status).toBe(200);
  });
});
