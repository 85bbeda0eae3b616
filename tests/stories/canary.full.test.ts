// The canary travels from the content service's outbox to a signed webhook, and its absence is reported.
import { execute } from "@tradepost/devstack";
import { CANARY_TENANT_ID } from "@tradepost/event-catalog";
import { apiClient, readMetrics, until } from "@tradepost/testing";
import { opsJsonOn } from "../support/run-ops.ts";
import { startTestPlatform } from "../support/test-platform.ts";

// A canary arrives in a fraction of this time, even on a busy machine.
const EVERY_MS = 1_500;
const EVERY = { CANARY_EVERY_MS: String(EVERY_MS) };
/** The canary is late if none has arrived for three periods. */
const LATE_SECONDS = (3 * EVERY_MS) / 1_000;
const BINDING = "/bindings/e/platform.events/q/webhooks.events";

const platform = await startTestPlatform({ ...EVERY, WEBHOOKS_TIMEOUT_MS: "3000" });
const webhooks = platform.pools.webhooks;

describe("the canary", () => {
  afterAll(() => platform.stop());

  const probe = (path: string) => apiClient(platform.url).get(path);
  const gauge = async (name: string) => (await readMetrics(platform.urls.webhooks))(name) ?? Number.NaN;
  const untilWell = () =>
    until("a canary that comes through", async () => {
      const { status, body } = await probe("/readyz/deep");
      return status === 200 && body;
    });
  const untilLate = () =>
    until("a canary that is late", async () => {
      const { status, body } = await probe("/readyz/deep");
      return status === 503 && body.missing.includes("canary") && body;
    });

  test("repeatedly arrives as a signed webhook, and its age stays small", async () => {
    const delivered = async () => {
      const { rows } = await webhooks.query(
        "select count(*)::int as count from delivery_log where tenant_id = $1 and status = 'delivered'",
        [CANARY_TENANT_ID],
      );
      return rows[0].count as number;
    };
    await until("three of them", async () => (await delivered()) >= 3);
    await until("an age below three periods", async () => (await gauge("canary_age_seconds")) < LATE_SECONDS);
    expect(await gauge("canary_latency_seconds")).toBeGreaterThan(0);
    expect(await untilWell()).toEqual({ status: "ready", missing: [] });
  });

  test("is late while no event reaches the webhooks service's queue; the gateway stays ready, and no event is lost", async () => {
    await untilWell();
    const bindings = (await platform.broker.manage("GET", BINDING)) as Record<string, string>[];
    const bound = bindings.find((binding) => binding.routing_key === "redirect.added");
    await platform.broker.manage("DELETE", `${BINDING}/${bound?.properties_key}`);
    expect(await untilLate()).toEqual({ status: "not_ready", missing: ["canary"] });
    const before = await gauge("canary_age_seconds");
    await until("an age that grows", async () => (await gauge("canary_age_seconds")) > before);
    expect((await probe("/readyz")).status).toBe(200);
    expect((await apiClient(platform.urls.webhooks).get("/readyz")).status).toBe(200);
    // Only one canary is on its way, however long it takes.
    expect(await execute(platform.databases.content, "select from outbox")).toHaveLength(1);
    await platform.broker.manage("POST", BINDING, { routing_key: "redirect.added" });
    await untilWell();
  });

  test("is not visible to tenants, and no tenant can have its id", async () => {
    const tenant = await platform.createTenant();
    expect(tenant.tenantId.slice(14, 15)).toBe("7");
    const path = `/v1/webhooks/subscriptions/${CANARY_TENANT_ID}`;
    expect((await tenant.owner.get("/v1/webhooks/subscriptions")).body.data).toEqual([]);
    expect((await tenant.owner.get("/v1/webhooks/deliveries")).body.data).toEqual([]);
    expect((await tenant.owner.get("/v1/redirects")).body.data).toEqual([]);
    expect((await tenant.owner.get(path)).status).toBe(404);
    expect((await tenant.owner.post(`${path}/rotate-secret`)).status).toBe(404);
    expect((await tenant.owner.delete(path)).status).toBe(404);
  });

  test("is verified like the events of a tenant", async () => {
    await untilWell();
    expect(await opsJsonOn(platform)("verify")).toMatchObject({
      ...{ ok: true, faults: [], tenants: [{ tenantId: CANARY_TENANT_ID, unaccounted: 0 }] },
    });
  });

  test("is late, and /readyz/deep is not ready, while the webhooks service is down", async () => {
    await platform.stopWebhooks();
    const { missing } = await untilLate();
    expect(missing).toEqual(["webhooks", "canary"]);
    expect((await probe("/readyz")).status).toBe(200);
  });
});
