// The gateway asks the services about many tenants at once, and seldom about a tenant whose usage does not change (interface §19).
import { createLogger } from "@tradepost/runtime";
import { until } from "@tradepost/testing";
import { sql } from "kysely";
import { checkActive } from "../src/usage/check-active.ts";
import { startUsage } from "../src/usage/start-usage.ts";
import { type TestTenant, useGateway } from "./support/test-gateway.ts";

type Ask = Parameters<typeof startUsage>[0]["ask"];

const gateway = await useGateway();
const logger = createLogger("test", "silent");
const services = ["orders", "content", "webhooks"] as const;

// One after the other: a busy machine would keep many waiting for a connection.
async function createTenants(count: number): Promise<TestTenant[]> {
  const tenants: TestTenant[] = [];
  while (tenants.length < count) tenants.push(await gateway.createTenant());
  return tenants;
}

/** Starts the usage, and counts the gateway's statements by their texts. */
function startUsageFor(tenants: readonly TestTenant[], ask: Ask) {
  const statements = new Map<string, number>();
  const db = gateway.db.withPlugin({
    transformQuery: ({ node }) => {
      const text = JSON.stringify("sqlFragments" in node ? node.sqlFragments : node.kind);
      statements.set(text, (statements.get(text) ?? 0) + 1);
      return node;
    },
    transformResult: async ({ result }) => result,
  });
  const quotasOfSettings = { mediaBytes: 100, eventBytes: 0 };
  const usage = startUsage({ db, ask, quotasOfSettings, checkEveryMs: 20, logger });
  for (const { tenantId, ownerId } of tenants) {
    const actor = { type: "user", id: ownerId, name: "a" };
    const principal = { tenantId, role: "owner", actor, scopes: [], modules: [] };
    usage.note({ method: "POST", principal } as unknown as Parameters<typeof usage.note>[0]);
  }
  const ids = tenants.map(({ tenantId }) => tenantId);
  const untilCounted = (expected: readonly number[]) =>
    until(`${expected} tenants are counted`, async () => {
      const { rows } = await sql<{ service: string }>`
        select service from tenant_usage where tenant_id = any(${ids}::uuid[])`.execute(gateway.db);
      return (
        services.map((one) => rows.filter(({ service }) => service === one).length).join() === `${expected}`
      );
    });
  return { ...usage, statements, untilCounted };
}

const bytesOf = (service: string) => ({ mediaBytes: service === "webhooks" ? 90 : 0, eventBytes: 1 });
const reportsOf = (service: string, body: object | undefined) =>
  (body as { tenantIds: string[] }).tenantIds.map((tenantId) => ({ tenantId, bytes: bytesOf(service) }));

test("one request and one statement write the usage of all tenants", async () => {
  const tenants = await createTenants(30);
  const asked: string[] = [];
  const usage = startUsageFor(tenants, async (service, _, { method, body }) => {
    if (method === "POST") asked.push(`${service} ${(body as { tenantIds: string[] }).tenantIds.length}`);
    return method === "POST" ? reportsOf(service, body) : undefined;
  });
  await usage.untilCounted([30, 30, 30]);
  await usage.stop();
  expect(asked.slice(0, 3).toSorted()).toEqual(["content 30", "orders 30", "webhooks 30"]);
  const writes = [...usage.statements].filter(([text]) => text.includes("insert into tenant_usage"));
  expect(writes.map(([, count]) => count)).toEqual([asked.length]);
});

test.each(["orders", "content"] as const)("others are counted while %s hangs", async (hanging) => {
  const tenants = await createTenants(20);
  const released = Promise.withResolvers<void>();
  const noticed = new Set<string>();
  const usage = startUsageFor(tenants, async (service, tenantId, { method, body }) => {
    if (method === "PUT") return void noticed.add(tenantId);
    if (service === hanging) await released.promise;
    return reportsOf(service, body);
  });
  try {
    await usage.untilCounted(services.map((service) => (service === hanging ? 0 : 20)));
    await until("the notices", () => noticed.size === 20);
  } finally {
    released.resolve();
  }
  await usage.untilCounted([20, 20, 20]);
  await usage.stop();
});

test("a service of release 1.0.0 is asked about each tenant", async () => {
  const tenants = await createTenants(3);
  const usage = startUsageFor(tenants, async (service, _, { method }) => {
    if (method === "POST") throw Object.assign(new Error("Use GET for this path."), { status: 405 });
    return method === "GET" ? { bytes: bytesOf(service), counts: null } : undefined;
  });
  await usage.untilCounted([3, 3, 3]);
  await usage.stop();
});

test("a tenant whose usage does not change is checked less and less often, and at last never", async () => {
  const checked: string[] = [];
  const checks = checkActive({
    check: async (tenantIds) => {
      checked.push(...tenantIds);
      return tenantIds.filter((tenantId) => tenantId === "changing");
    },
    ...{ tenantsMax: 500, everyMs: 1, logger },
  });
  const count = (tenantId: string) => checked.filter((one) => one === tenantId).length;
  for (const tenantId of ["changing", "quiet"]) checks.add(tenantId, Number.POSITIVE_INFINITY);
  checks.add("over", Date.now() - 1);
  await until("many checks", () => count("changing") >= 30);
  await checks.stop();
  // The quiet tenant is checked in the rounds 1, 3, 7 and 15.
  expect(checked.slice(0, 26).filter((one) => one === "quiet")).toHaveLength(4);
  expect(count("over")).toBe(1);
});
