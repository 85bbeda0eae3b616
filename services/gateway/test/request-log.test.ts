// The log of a tenant's requests (interface §19).
import { randomUUID } from "node:crypto";
import type { FinishedRequest } from "@tradepost/http";
import { connectPostgres } from "@tradepost/postgres";
import { createLogger, createMetrics } from "@tradepost/runtime";
import { readPages, until } from "@tradepost/testing";
import { sql } from "kysely";
import { startRequestLog } from "../src/request-log/request-log.ts";
import { withoutValues } from "../src/request-log/write-requests.ts";
import { failure, useRecordingUpstream } from "./support/recording-upstream.ts";
import { useGateway } from "./support/test-gateway.ts";

const upstream = await useRecordingUpstream();
const gateway = await useGateway({ ORDERS_URL: upstream.url });
const tenant = await gateway.createTenant();
const key = await gateway.createKey(tenant, ["read:crm", "write:crm"], { label: "ERP" });

const list = async (query: Record<string, string> = {}) =>
  (await tenant.owner.get(`/v1/requests?${new URLSearchParams(query)}`)).body;
/** Resolves with the logged requests of the query, once there are `count`. */
const listed = (count: number, query: Record<string, string>) =>
  until(`${count} requests`, async () => {
    const { data } = await list(query);
    return data.length >= count && data;
  });
const show = async (id: string | null) => (await tenant.owner.get(`/v1/requests/${id}`)).body.data;
/** Resolves with the logged request that got this response. */
const logOf = ({ headers }: { headers: Headers }) =>
  until("the request", () => show(headers.get("x-request-id")));

test("has each request with its route, status and code, and no body, and finds a key by its id and its keyId", async () => {
  const details = [{ path: "amount", message: "x" }];
  const paid = { code: "order_already_paid", message: "It is paid.", details };
  upstream.respondWith(failure(409, paid, { "x-route": "/v1/orders/:id/pay" }));
  const { headers } = await key.client.post("/v1/orders/1001/pay", { method: "card" });
  await key.client.get("/v1/me");
  const requests = await listed(2, { keyId: key.id });
  const actor = { type: "api_key", id: key.id, name: "ERP" };
  const times = { ip: "127.0.0.1", at: expect.any(String), durationMs: expect.any(Number) };
  expect(requests).toEqual([
    {
      ...{ id: expect.any(String), method: "GET", route: "/v1/me", status: 200, code: null, actor, ...times },
      ...{ requestBytes: 0, responseBytes: expect.any(Number) },
      ...{ message: null, paths: [], caused: { events: [] } },
    },
    {
      ...{ id: headers.get("x-request-id"), method: "POST", route: "/v1/orders/:id/pay", status: 409 },
      ...{ code: "order_already_paid", actor, ...times, requestBytes: 17, responseBytes: 123 },
      ...{ message: "It is paid.", paths: ["amount"], caused: { events: [] } },
    },
  ]);
  expect((await list({ keyId: key.id, status: "409" })).data).toEqual([requests[1]]);
  expect((await list({ route: "/v1/me", keyId: key.keyId })).data).toEqual([requests[0]]);
  expect((await list({ keyId: "0".repeat(12) })).data).toEqual([]);
  expect((await list({ keyId: key.id, actorType: "api_key" })).data).toEqual(requests);
  expect((await list({ keyId: key.id, actorType: "user" })).data).toEqual([]);
  const [own] = await listed(1, { route: "/v1/requests" });
  expect(own.actor.type).toBe("user");
  const ofOwner: { actor: object }[] = (await list({ userId: own.actor.id })).data;
  expect(ofOwner.length).toBeGreaterThan(0);
  for (const { actor } of ofOwner) expect(actor).toEqual(own.actor);
});

test("shows one request with the events that it caused", async () => {
  const events = [randomUUID(), randomUUID()];
  upstream.respondWith((res) => {
    res.writeHead(201, { "x-route": "/v1/orders", "x-caused-events": events.join() }).end("{}");
  });
  const placed = await tenant.owner.post("/v1/orders", {}, { "x-request-id": "mine-1" });
  expect(placed.headers.get("x-caused-events")).toBeNull();
  const shown = await until("the request", () => show("mine-1"));
  expect(shown).toMatchObject({ id: "mine-1", status: 201, route: "/v1/orders", caused: { events } });
  // Its id is the gateway's.
  await logOf(await tenant.owner.get("/v1/me"));
  const stranger = await gateway.createTenant();
  for (const [client, id] of [
    [stranger.owner, "mine-1"],
    [tenant.owner, "Mine-1"],
    [tenant.owner, "%00"],
  ] as const)
    expect((await client.get(`/v1/requests/${id}`)).status).toBe(404);
});

test.each([
  ["status=SECRET", '"SECRET" is not', '"…" is not'],
  ["status=placed,Secret", 'status: "secret" and "x" are not', 'status: "…" and "x" are not'],
  ["q=a%20b%22c+d", 'q: "a b"c d" is not', 'q: "…" is not'],
  ["q=caf%C3%A9", '"café"', '"…"'],
  ["q=abcdef", 'q: "x" and "abc', 'q: "x" and "…"'],
  ["q=%ff", 'q: "\ufffd"', 'q: "…"'],
  ["", 'the module "crm" and ""', 'the module "crm" and ""'],
])("has no value of the query %s", (query, message, stored) => {
  expect(withoutValues(message, query)).toBe(stored);
});

test("has a refusal's message without the values of the query", async () => {
  const refused = await tenant.owner.get("/v1/requests?status=SECRET&after=2026-99");
  expect(JSON.stringify(await logOf(refused))).not.toMatch(/SECRET|2026-99/);
  const error = { code: "validation_error", message: 'status: allowed are open; "secret" is not' };
  upstream.respondWith(failure(422, error, { "x-route": "/v1/orders" }));
  const { message } = await logOf(await tenant.owner.get("/v1/orders?status=SECRET"));
  expect(message).toBe('status: allowed are open; "…" is not');
});

test("keeps at most 1 KiB of a refusal", async () => {
  const paths = Array.from({ length: 200 }, (_, index) => `items[${index}].${"name".repeat(8)}`);
  const details = paths.map((path) => ({ path, message: "must be text" }));
  const error = { code: "validation_error", message: "ü".repeat(5_000), details };
  upstream.respondWith(failure(422, error, { "x-route": "/v1/orders" }));
  const { id } = await logOf(await tenant.owner.post("/v1/orders", {}));
  const { rows } = await sql<{ bytes: number; outcome: { paths: string[] } }>`
    select octet_length(outcome::text) as bytes, outcome from requests where request_id = ${id}`.execute(
    gateway.db,
  );
  expect(rows[0]?.bytes).toBeGreaterThan(500);
  expect(rows[0]?.bytes).toBeLessThanOrEqual(1_024);
  expect(rows[0]?.outcome.paths[0]).toBe(paths[0]);
});

test("has requests that a limit refused, of the gateway's routes and of a service's", async () => {
  const { url } = await gateway.startReplica({ RATE_LIMIT_PER_SECOND: "1" });
  const limited = await gateway.createKey(tenant, ["read:crm"]);
  const client = gateway.as(limited.key, url);
  for (const path of ["/v1/me", "/v1/orders"]) {
    await until(`a refused ${path}`, async () => (await client.get(path)).status === 429);
  }
  await until("both in the log", async () => {
    const { data } = await list({ keyId: limited.id, status: "429" });
    const routes = new Set(data.map(({ route, code }: Record<string, string>) => `${route} ${code}`));
    return routes.has("/v1/me rate_limited") && routes.has("forwarded rate_limited");
  });
});

test("is of one tenant, and pages by time", async () => {
  const stranger = await gateway.createTenant();
  expect((await stranger.owner.get(`/v1/requests?keyId=${key.id}`)).body.data).toEqual([]);
  for (let number = 0; number < 3; number++) await tenant.owner.get("/v1/users");
  await until("three requests", async () => (await list({ route: "/v1/users" })).data.length === 3);
  const pages = await readPages(tenant.owner, "/v1/requests?route=/v1/users&limit=1");
  expect(pages.map(({ length }) => length)).toEqual([1, 1, 1]);
  expect(new Set(pages.flat().map(({ id }) => id)).size).toBe(3);
  const wrong = "status=abc&keyId=x&after=y&before=z&userId=1&actorType=2";
  const refused = await tenant.owner.get(`/v1/requests?${wrong}`);
  const paths = refused.body.error.details.map(({ path }: { path: string }) => path);
  expect(paths).toEqual(["keyId", "userId", "actorType", "status", "after", "before"]);
});

const finished = (tenantId: string, changes: Partial<FinishedRequest> = {}) =>
  ({
    requestId: "r".repeat(128),
    method: "GET",
    route: "/v1/me",
    status: 200,
    query: "",
    refusal: null,
    caused: [],
    at: new Date(),
    durationMs: 1,
    requestBytes: 0,
    responseBytes: 2,
    principal: { tenantId, actor: { type: "user", id: "u", name: "Ada" } },
    ...changes,
  }) as unknown as FinishedRequest;

/** Lets `add` add to a log with a database; returns the logged requests of each tenant, and how many were dropped. */
async function logged(tenantIds: string[], add: (log: ReturnType<typeof startRequestLog>) => void) {
  const metrics = createMetrics("gateway");
  const logger = createLogger("test", "silent");
  const { pool, stop } = connectPostgres({
    ...{ url: gateway.serviceUrl, name: "log", connectionsMax: 1, role: "tradepost_gateway", logger },
  });
  const log = startRequestLog({ pool, metrics, logger, tenantDayMax: 1_000 });
  add(log);
  await log.stop();
  await stop();
  const dropped = Number(/request_log_dropped_total\S* (\d+)\n/.exec(await metrics.text())?.[1]);
  return { dropped, tenants: await Promise.all(tenantIds.map(rowsOf)) };
}

async function rowsOf(tenantId: string) {
  const { rows } = await sql<{ rows: number; count: number; refused: number }>`
    select (select count(*) from requests where tenant_id = ${tenantId})::int as rows,
           sum(count)::int as count, sum(refused)::int as refused
      from request_days where tenant_id = ${tenantId}`.execute(gateway.db);
  return rows[0];
}

test("samples what a limit refused, while another tenant's log and all counts are exact", async () => {
  const [flood, quiet] = [randomUUID(), randomUUID()];
  const { dropped, tenants } = await logged([flood, quiet], (log) => {
    for (let number = 0; number < 5_000; number++) {
      log.add(finished(flood, { status: 429, refusal: { code: "rate_limited", message: "", paths: [] } }));
      if (number % 50 === 0) log.add(finished(quiet));
    }
  });
  expect(tenants[0]?.rows).toBeGreaterThanOrEqual(10);
  expect(tenants[0]?.rows).toBeLessThanOrEqual(100);
  expect(tenants[0]).toMatchObject({ count: 5_000, refused: 5_000 });
  expect(tenants[1]).toEqual({ rows: 100, count: 100, refused: 0 });
  expect(dropped).toBe(5_000 - (tenants[0]?.rows ?? 0));
});

test("samples what a tenant requests beyond a day's maximum", async () => {
  const busy = randomUUID();
  const { tenants } = await logged([busy], (log) => {
    for (let number = 0; number < 4_000; number++) log.add(finished(busy));
  });
  expect(tenants[0]?.rows).toBeGreaterThanOrEqual(1_010);
  expect(tenants[0]?.rows).toBeLessThanOrEqual(1_100);
  expect(tenants[0]?.count).toBe(4_000);
});

test("counts the requests of a suspended tenant, and writes none", async () => {
  const suspended = await gateway.createTenant();
  const { url } = await gateway.startReplica({ RATE_LIMIT_PER_SECOND: "1" });
  await gateway.setSuspended(suspended.tenantId, true);
  const client = gateway.as(suspended.token, url);
  const statuses = await Promise.all(
    Array.from({ length: 20 }, async () => (await client.get("/v1/me")).status),
  );
  expect(new Set(statuses)).toEqual(new Set([403]));
  await until("all counted", async () => (await rowsOf(suspended.tenantId))?.count === 20);
  await gateway.setSuspended(suspended.tenantId, false);
  expect((await rowsOf(suspended.tenantId))?.rows).toBe(0);
});

test("counts what it drops while the database is away, and no tenant displaces another", async () => {
  const metrics = createMetrics("gateway");
  const broken = { query: async () => Promise.reject(new Error("no database")) };
  const log = startRequestLog({
    pool: broken as never,
    metrics,
    logger: createLogger("test", "silent"),
  });
  for (let number = 0; number < 5_010; number++) log.add(finished(tenant.tenantId));
  log.add(finished("", { principal: undefined }));
  expect(await metrics.text()).toMatch(/request_log_dropped_total\S* 10\n/);
  log.add(finished(randomUUID()));
  expect(await metrics.text()).toMatch(/request_log_dropped_total\S* 10\n/);
  await log.stop();
  expect(await metrics.text()).toMatch(/request_log_dropped_total\S* 5011\n/);
});
