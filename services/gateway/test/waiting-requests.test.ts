// Requests that wait for something to happen take nothing that other requests need: listeners that lease a delivery (interface §12),
// and readers of a change feed (interface §10).
import { randomUUID } from "node:crypto";
import { type ClientResponse, until } from "@tradepost/testing";
import { type Respond, useRecordingUpstream } from "./support/recording-upstream.ts";
import { outcome, useGateway } from "./support/test-gateway.ts";

type PendingResponse = Parameters<Respond>[0];

const LEASE = `/v1/webhooks/listeners/${randomUUID()}/lease`;
const FEED = "/v1/orders/events";

const upstream = await useRecordingUpstream();
const gateway = await useGateway(upstream.settings);
const { url } = await gateway.startReplica({ TENANT_CONCURRENCY_MAX: "2" });
const tenant = await gateway.createTenant();

let pending: PendingResponse[];
beforeEach(() => {
  pending = [];
  upstream.respondWith((res, { req }) => {
    if (/\/lease|\/events/.test(req.url ?? "")) pending.push(res);
    else res.end("{}");
  });
});

const client = (to = url) => gateway.as(tenant.token, to);
const lease = (body: unknown = { waitSeconds: 25 }, path = LEASE) => client().post(path, body);
const many = <Item>(count: number, item: () => Item) => Array.from({ length: count }, () => item());
const endAll = () => {
  for (const res of pending) res.end("{}");
};
const statuses = async (responses: readonly Promise<ClientResponse>[]) =>
  new Set((await Promise.all(responses)).map(({ status }) => status));

const WAYS: [string, () => Promise<ClientResponse>][] = [
  ...[LEASE, `${LEASE}/`].map((path) => [path, () => lease(undefined, path)] as [string, typeof lease]),
  ...[`${FEED}?waitSeconds=25`, "/v1/customers/events?waitSeconds=25", "/v1/content/events?waitSeconds=25"]
    .concat([`${FEED}/?waitSeconds=25`, `${FEED}?wait%53econds=25`, `${FEED}?limit=1&waitSeconds=%32%35`])
    .map((path) => [path, () => client().get(path)] as [string, typeof lease]),
];

// A tenant may have two requests in progress here, and 64 that wait for their turn.
const IN_PROGRESS_MAX = 2 + 64;

test.each(WAYS)("waiting is no request in progress, of which a tenant has few: %s", async (_, send) => {
  const waiting = many(IN_PROGRESS_MAX + 1, send);
  await until("all of them to wait", () => pending.length === waiting.length);
  for (const path of ["/v1/webhooks/deliveries", "/v1/orders", "/v1/redirects"])
    expect((await client().get(path)).status).toBe(200);
  endAll();
  expect(await statuses(waiting)).toEqual(new Set([200]));
});

test.each([
  ["a lease with a large body", () => lease({ waitSeconds: 25, more: "x".repeat(2_000) })],
  ["a reader with a body", () => client().post(`${FEED}?waitSeconds=25`, {})],
])("%s is a request in progress", async (_, send) => {
  const requests = many(IN_PROGRESS_MAX + 1, send);
  await until("the first of them", () => pending.length >= 2);
  upstream.respondWith((res) => res.end("{}"));
  const first = await Promise.race(requests);
  endAll();
  await Promise.all(requests);
  expect(first.status).toBe(429);
});

test.each([
  ["POST", LEASE, { headers: { "content-type": "application/json" }, body: '{"waitSeconds":25}' }],
  ["GET", `${FEED}?waitSeconds=25`, {}],
])("the request to the service ends when the client has gone: %s", async (method, path, more) => {
  const gone = new AbortController();
  const request = client()
    .send(method, path, { ...more, signal: gone.signal })
    .catch(() => "gone");
  await until("it to wait", () => pending.length === 1);
  gone.abort();
  await until("the service to notice", () => pending[0]?.destroyed === true);
  expect(await request).toBe("gone");
});

test("readers that do not wait count as requests in progress", async () => {
  const reading = many(3, () => client().get(FEED));
  await until("two of them", () => pending.length === 2);
  const third = client().get("/v1/orders");
  endAll();
  expect((await third).status).toBe(200);
  await until("the third", () => pending.length === 3);
  pending[2]?.end("{}");
  await Promise.all(reading);
});

describe("leases that wait", () => {
  test("of a key that is revoked meanwhile get no delivery", async () => {
    const { id, key } = await gateway.createKey(tenant, ["read:content"]);
    const waiting = gateway.as(key, url).post(LEASE, { waitSeconds: 25 });
    await until("it waits", () => pending.length === 1);
    expect((await client().delete(`/v1/api-keys/${id}`)).status).toBe(200);
    // Waits of a fraction of a second are not checked again.
    await new Promise((resolve) => setTimeout(resolve, 250));
    endAll();
    expect((await waiting).status).toBe(401);
  });

  test("are at most 256 of one tenant, and other tenants wait too", async () => {
    const waiting = many(256 + 64, lease);
    await until("as many as may wait", () => pending.length === 256);
    expect((await lease()).status).toBe(429);
    const stranger = await gateway.createTenant();
    const other = gateway.as(stranger.token, url).post(LEASE, { waitSeconds: 25 });
    await until("the stranger to wait", () => pending.length === 257);
    upstream.respondWith((res) => res.end("{}"));
    endAll();
    expect((await other).status).toBe(200);
    await Promise.all(waiting);
  });

  test("may take longer than other requests", async () => {
    const impatient = client((await gateway.startReplica({ UPSTREAM_TIMEOUT_MS: "1000" })).url);
    const waiting = impatient.post(LEASE, { waitSeconds: 25 });
    await until("it to wait", () => pending.length === 1);
    upstream.respondWith(() => undefined);
    expect((await impatient.get("/v1/webhooks/deliveries")).status).toBe(504);
    endAll();
    expect((await waiting).status).toBe(200);
  });

  test("come to their end while the gateway stops", async () => {
    const replica = await gateway.startReplica({ DRAIN_IDLE_MS: "100" });
    const waiting = client(replica.url).post(LEASE, { waitSeconds: 25 });
    await until("it to wait", () => pending.length === 1);
    const stopping = replica.stop();
    const isClosed = () =>
      fetch(`${replica.url}/healthz`).then(
        () => false,
        () => true,
      );
    await until("the closed port", isClosed);
    endAll();
    expect((await waiting).status).toBe(200);
    await stopping;
  });

  test("are refused by a gateway that stops without a grace, and may be repeated", async () => {
    const replica = await gateway.startReplica({ DRAIN_IDLE_MS: "0" });
    const waiting = client(replica.url).post(LEASE, { waitSeconds: 25 });
    await until("it to wait", () => pending.length === 1);
    await replica.stop();
    expect(outcome(await waiting)).toEqual([503, "service_unavailable"]);
  });
});
