// How many requests of one tenant are in progress at a time: the rest waits for a while, and nobody else notices.
import { connect } from "node:net";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "@jest/globals";
import { apiClient, bearer, type ClientResponse, until } from "@tradepost/testing";
import { settings } from "../src/config.ts";
import { type Reaction, startRecordingUpstream } from "./support/recording-upstream.ts";
import { startTestGateway, type TestGateway, type TestTenant } from "./support/test-gateway.ts";

const IN_PROGRESS_MAX = 32;
const WAITING_MAX = 64;
type Held = Parameters<Reaction>[0];

describe("the requests of one tenant", () => {
  let upstream: Awaited<ReturnType<typeof startRecordingUpstream>>;
  let gateway: TestGateway;
  let url: string;
  let metricsUrl: string;
  let tenant: TestTenant;
  let stranger: TestTenant;
  let held: Held[];

  beforeAll(async () => {
    upstream = await startRecordingUpstream();
    gateway = await startTestGateway({ ORDERS_URL: upstream.url });
    const limited = await gateway.startReplica({
      TENANT_CONCURRENCY_MAX: String(IN_PROGRESS_MAX),
      METRICS_PORT: "0",
    });
    url = limited.url;
    metricsUrl = limited.metricsUrl ?? "";
    tenant = await gateway.createTenant();
    stranger = await gateway.createTenant();
  });
  beforeEach(() => {
    held = [];
    upstream.recorded.length = 0;
    upstream.behave((res) => void held.push(res));
  });
  afterAll(async () => {
    await gateway.stop();
    await upstream.stop();
  });

  const clientOf = ({ token }: TestTenant) => apiClient(url, bearer(token));
  const many = <Item>(count: number, item: () => Item) => Array.from({ length: count }, item);
  /** Whatever the service gets is answered from now on, and what it held as well. */
  const letGo = () => {
    upstream.behave((res) => res.end("{}"));
    for (const res of held) res.end("{}");
  };
  const sendRaw = () => {
    const socket = connect(Number(new URL(url).port), "127.0.0.1");
    socket.on("error", () => undefined);
    let heard = "";
    socket.on("data", (bytes) => {
      heard += bytes;
    });
    socket.write(`GET /v1/orders HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${tenant.token}\r\n\r\n`);
    return { socket, heard: () => heard };
  };
  const refusedCount = async () => {
    const text = await (await fetch(metricsUrl)).text();
    return Number(/requests_limited_total\{limit="tenant_concurrency".*\} (\d+)/.exec(text)?.[1] ?? 0);
  };

  test("are 32 at a time by default", () => {
    expect(settings.shape.TENANT_CONCURRENCY_MAX.parse(undefined)).toBe(IN_PROGRESS_MAX);
  });

  test("past 32 wait, past 64 more are 429 at once, and a stranger is served meanwhile", async () => {
    const before = await refusedCount();
    const answers: ClientResponse[] = [];
    const all = many(IN_PROGRESS_MAX + WAITING_MAX + 1, () =>
      clientOf(tenant)
        .get("/v1/orders")
        .then((answer) => void answers.push(answer)),
    );
    await until("the refusal", () => answers.length === 1);
    const [refused] = answers;
    expect([refused?.status, refused?.body.error.code]).toEqual([429, "rate_limited"]);
    expect(refused?.headers.get("retry-after")).toBe("1");
    expect((await refusedCount()) - before).toBe(1);
    // Of 96 that are in progress or wait, the service has 32; one more tenant is not among them.
    await until("as many as may be", () => upstream.recorded.length === IN_PROGRESS_MAX);
    expect((await clientOf(stranger).get("/v1/me")).status).toBe(200);
    expect(upstream.recorded).toHaveLength(IN_PROGRESS_MAX);
    letGo();
    await Promise.all(all);
    expect(answers.map(({ status }) => status).sort()).toEqual([...many(all.length - 1, () => 200), 429]);
  });

  test("of the gateway's own routes count as well, and 401 does not", async () => {
    const orders = many(IN_PROGRESS_MAX, () => clientOf(tenant).get("/v1/orders"));
    await until("as many as may be", () => held.length === IN_PROGRESS_MAX);
    let isAnswered = false;
    const me = clientOf(tenant)
      .get("/v1/me")
      .then(({ status }) => {
        isAnswered = true;
        return status;
      });
    expect((await clientOf(stranger).get("/v1/me")).status).toBe(200);
    expect((await apiClient(url, bearer("x")).get("/v1/me")).status).toBe(401);
    expect(isAnswered).toBe(false);
    letGo();
    expect(await me).toBe(200);
    await Promise.all(orders);
  });

  test("that wait longer than 5 s are 429", async () => {
    const orders = many(IN_PROGRESS_MAX, () => clientOf(tenant).get("/v1/orders"));
    await until("as many as may be", () => held.length === IN_PROGRESS_MAX);
    expect((await clientOf(tenant).get("/v1/me")).status).toBe(429);
    letGo();
    await Promise.all(orders);
  });

  test("whose clients are gone leave their places, in the queue and in progress", async () => {
    const before = await refusedCount();
    const inProgress = many(IN_PROGRESS_MAX, sendRaw);
    await until("as many as may be", () => held.length === IN_PROGRESS_MAX);
    const waiting = many(WAITING_MAX + 1, sendRaw);
    await until("a full queue", async () => (await refusedCount()) - before === 1);
    for (const { socket } of [...waiting, ...inProgress]) socket.destroy();
    letGo();
    await until("all 96 places", async () => {
      held = [];
      upstream.behave((res) => void held.push(res));
      const again = many(IN_PROGRESS_MAX + WAITING_MAX, () => clientOf(tenant).get("/v1/orders"));
      await until("as many as may be", () => held.length === IN_PROGRESS_MAX);
      letGo();
      return (await Promise.all(again)).every(({ status }) => status === 200);
    });
  });

  test("that fail give their places back", async () => {
    upstream.behave((res) => res.destroy());
    for (const _ of many(2, () => null)) {
      const answers = await Promise.all(many(IN_PROGRESS_MAX, () => clientOf(tenant).get("/v1/orders")));
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([502]));
    }
    const refused = await Promise.all(many(IN_PROGRESS_MAX, () => clientOf(tenant).get("/v1/nothing")));
    expect(new Set(refused.map(({ status }) => status))).toEqual(new Set([404]));
    expect((await clientOf(tenant).get("/v1/me")).status).toBe(200);
  });
});
