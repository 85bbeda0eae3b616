// Readers of a change feed that wait for an event (interface §10) take nothing that other requests need.
import { afterAll, beforeEach, describe, expect, test } from "@jest/globals";
import { apiClient, bearer, until } from "@tradepost/testing";
import { type Respond, startRecordingUpstream } from "./support/recording-upstream.ts";
import { startTestGateway } from "./support/test-gateway.ts";

type PendingResponse = Parameters<Respond>[0];

const FEED = "/v1/orders/events";

const upstream = await startRecordingUpstream();
const gateway = await startTestGateway({ ORDERS_URL: upstream.url, CONTENT_URL: upstream.url });
const { url } = await gateway.startReplica({ TENANT_CONCURRENCY_MAX: "2" });
const tenant = await gateway.createTenant();
afterAll(async () => {
  await gateway.stop();
  await upstream.stop();
});

describe("readers of a feed", () => {
  let pending: PendingResponse[];
  beforeEach(() => {
    pending = [];
    upstream.respondWith((res, { req }) => {
      if (req.url?.includes("/events")) pending.push(res);
      else res.end("{}");
    });
  });

  const client = () => apiClient(url, bearer(tenant.token));

  test.each([FEED, "/v1/customers/events", "/v1/content/events"])(
    "200 of one tenant wait at once at %s, and its other requests go on",
    async (feed) => {
      const waiting = Array.from({ length: 200 }, () => client().get(`${feed}?waitSeconds=25`));
      await until("all of them to wait", () => pending.length === waiting.length);
      expect((await client().get("/v1/orders")).status).toBe(200);
      expect((await client().get("/v1/redirects")).status).toBe(200);
      for (const res of pending) res.end("{}");
      expect(new Set((await Promise.all(waiting)).map(({ status }) => status))).toEqual(new Set([200]));
    },
  );

  test.each(["/?waitSeconds=25", "?wait%53econds=25", "?limit=1&waitSeconds=%32%35"])(
    "wait apart from other requests however the address is written: %s",
    async (rest) => {
      const waiting = Array.from({ length: 40 }, () => client().get(`${FEED}${rest}`));
      await until("all of them to wait", () => pending.length === waiting.length);
      for (const res of pending) res.end("{}");
      expect(new Set((await Promise.all(waiting)).map(({ status }) => status))).toEqual(new Set([200]));
    },
  );

  test("which do not wait count as requests in progress", async () => {
    const reading = Array.from({ length: 3 }, () => client().get(FEED));
    await until("two of them", () => pending.length === 2);
    const third = client().get("/v1/orders");
    for (const res of pending) res.end("{}");
    expect((await third).status).toBe(200);
    await until("the third", () => pending.length === 3);
    pending[2]?.end("{}");
    await Promise.all(reading);
  });

  test("have no body: a request with one counts as a request in progress", async () => {
    const inProgressAndWaiting = 2 + 64;
    const requests = Array.from({ length: inProgressAndWaiting + 1 }, () =>
      client().post(`${FEED}?waitSeconds=25`, {}),
    );
    await until("the first of them", () => pending.length >= 2);
    upstream.respondWith((res) => res.end("{}"));
    const first = await Promise.race(requests);
    for (const res of pending) res.end("{}");
    await Promise.all(requests);
    expect(first.status).toBe(429);
  });

  test("end their request to the service when they have gone", async () => {
    const gone = new AbortController();
    const { signal } = gone;
    const request = client()
      .send("GET", `${FEED}?waitSeconds=25`, { signal })
      .catch(() => "gone");
    await until("it to wait", () => pending.length === 1);
    gone.abort();
    await until("the service to notice", () => pending[0]?.destroyed === true);
    expect(await request).toBe("gone");
  });
});
