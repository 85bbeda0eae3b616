// The log of a tenant's requests (interface §19).
import { randomUUID } from "node:crypto";
import { expect, test } from "@jest/globals";
import type { FinishedRequest } from "@tradepost/http";
import { connectPostgres } from "@tradepost/postgres";
import { createLogger, createMetrics } from "@tradepost/runtime";
import { apiClient, bearer, until } from "@tradepost/testing";
import { sql } from "kysely";
import { startRequestLog } from "../src/request-log/request-log.ts";
import { useRecordingUpstream } from "./support/recording-upstream.ts";
import { useGateway } from "./support/test-gateway.ts";

const upstream = await useRecordingUpstream();
const gateway = await useGateway({ ORDERS_URL: upstream.url });
const tenant = await gateway.createTenant();
const input = { label: "ERP", scopes: ["read:crm", "write:crm"] };
const key = (await tenant.owner.post("/v1/api-keys", input)).body.data;

const list = async (query: Record<string, string> = {}) =>
  (await tenant.owner.get(`/v1/requests?${new URLSearchParams(query)}`)).body;

test("has each request with its route, status and code, and no body", async () => {
  upstream.respondWith((res) => {
    res.writeHead(409, { "content-type": "application/json", "x-route": "/v1/orders/:id/pay" });
    res.end('{"success":false,"error":{"code":"order_already_paid","message":"It is paid."}}');
  });
  const erp = apiClient(gateway.url, bearer(key.key));
  const { headers } = await erp.post("/v1/orders/1001/pay", { method: "card" });
  await erp.get("/v1/me");
  const requests = await until("both requests", async () => {
    const { data } = await list({ keyId: key.id });
    return data.length === 2 && data;
  });
  const actor = { type: "api_key", id: key.id, name: "ERP" };
  const times = { ip: "127.0.0.1", at: expect.any(String), durationMs: expect.any(Number) };
  expect(requests).toEqual([
    {
      ...{ id: expect.any(String), method: "GET", route: "/v1/me", status: 200, code: null, actor, ...times },
      ...{ requestBytes: 0, responseBytes: expect.any(Number) },
    },
    {
      ...{ id: headers.get("x-request-id"), method: "POST", route: "/v1/orders/:id/pay", status: 409 },
      ...{ code: "order_already_paid", actor, ...times, requestBytes: 17, responseBytes: 79 },
    },
  ]);
  expect((await list({ keyId: key.id, status: "409" })).data).toEqual([requests[1]]);
  expect((await list({ route: "/v1/me", keyId: key.id })).data).toEqual([requests[0]]);
  const [own] = await until("the owner's own", async () => {
    const { data } = await list({ route: "/v1/requests" });
    return data.length > 0 && data;
  });
  expect(own.actor.type).toBe("user");
  const ofOwner = (await list({ userId: own.actor.id })).data;
  expect(ofOwner.length).toBeGreaterThan(0);
  expect(
    ofOwner.every(({ actor }: { actor: object }) => JSON.stringify(actor) === JSON.stringify(own.actor)),
  ).toBe(true);
});

test("finds a key by its id and its keyId", async () => {
  const { keyId } = key;
  const pages = await Promise.all([list({ keyId: key.id }), list({ keyId })]);
  expect(pages[1]).toEqual(pages[0]);
  expect(pages[0].data).toHaveLength(2);
  expect((await list({ keyId: "0".repeat(12) })).data).toEqual([]);
});

test("has requests that a limit refused, of the gateway's routes and of a service's", async () => {
  const { url } = await gateway.startReplica({ RATE_LIMIT_PER_SECOND: "1" });
  const body = { label: "Limited", scopes: ["read:crm"] };
  const limited = (await tenant.owner.post("/v1/api-keys", body)).body.data;
  const client = apiClient(url, bearer(limited.key));
  for (const path of ["/v1/me", "/v1/orders"]) {
    await until(`a refused ${path}`, async () => (await client.get(path)).status === 429);
  }
  await until("both in the log", async () => {
    const { data } = await list({ keyId: limited.id, status: "429" });
    const routes = new Set(data.map(({ route, code }: Record<string, string>) => `${route} ${code}`));
    return routes.has("/v1/me rate_limited") && routes.has("forwarded rate_limited");
  });
});

test("is for admins, of one tenant, and pages by time", async () => {
  const stranger = await gateway.createTenant();
  expect((await stranger.owner.get(`/v1/requests?keyId=${key.id}`)).body.data).toEqual([]);
  expect((await apiClient(gateway.url, bearer(key.key)).get("/v1/requests")).status).toBe(403);
  for (let number = 0; number < 3; number++) await tenant.owner.get("/v1/users");
  await until("three requests", async () => (await list({ route: "/v1/users" })).data.length === 3);
  const seen: string[] = [];
  for (let cursor: string | null = ""; cursor !== null; ) {
    const { data, page } = await list({ route: "/v1/users", limit: "1", ...(cursor && { cursor }) });
    seen.push(...data.map(({ id }: { id: string }) => id));
    cursor = page.nextCursor;
  }
  expect(new Set(seen).size).toBe(3);
  const refused = await tenant.owner.get("/v1/requests?status=abc&keyId=x&after=y&before=z&userId=1");
  expect(refused.body.error.details.map(({ path }: { path: string }) => path)).toEqual([
    ...["keyId", "userId", "status", "after", "before"],
  ]);
});

const finished = (tenantId: string, changes: Partial<FinishedRequest> = {}) =>
  ({
    ...{
      requestId: "r".repeat(128),
      method: "GET",
      route: "/v1/me",
      status: 200,
      code: null,
      at: new Date(),
    },
    ...{ durationMs: 1, requestBytes: 0, responseBytes: 2 },
    principal: { tenantId, actor: { type: "user", id: "u", name: "Ada" } },
    ...changes,
  }) as unknown as FinishedRequest;

/** Lets `add` add to a log with a database, and returns what the log has then of each tenant, and how many it dropped. */
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
      log.add(finished(flood, { status: 429, code: "rate_limited" }));
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
  const client = apiClient(url, bearer(suspended.token));
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
