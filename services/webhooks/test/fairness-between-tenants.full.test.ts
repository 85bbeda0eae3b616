// However many endpoints hang, others get their first attempt at once. Attempts here never time out: whatever was delivered was
// attempted while all hanging attempts were in progress.
import { afterEach, beforeEach, describe, expect, test } from "@jest/globals";
import { type Receiver, startReceiver, testCertificate, until } from "@tradepost/testing";
import { startTestWebhooks, type TestTenant, type TestWebhooks } from "./support/webhooks.ts";

const CONCURRENCY = 200;
const SUBSCRIPTIONS_AT_A_TIME = 10;
const EVENTS = 5;

describe("while endpoints hang", () => {
  let webhooks: TestWebhooks;
  let hanging: Receiver;
  let healthy: Receiver;

  beforeEach(async () => {
    const tls = await testCertificate();
    [webhooks, hanging, healthy] = await Promise.all([
      startTestWebhooks({ WEBHOOKS_TIMEOUT_MS: "60000", WEBHOOKS_CONCURRENCY: String(CONCURRENCY) }),
      startReceiver(tls),
      startReceiver(tls),
    ]);
  });

  afterEach(async () => {
    await Promise.all([hanging.stop(), healthy.stop()]);
    await webhooks.stop();
  });

  const count = async (statement: string): Promise<number> =>
    (await webhooks.pool.query<{ count: number }>(`select count(*)::int as count from ${statement}`)).rows[0]
      ?.count ?? 0;

  /** Tenants whose endpoints all hang, with as many deliveries in progress as allowed. */
  const hangingTenants = async (
    tenantCount: number,
    endpointCount: number,
    { proven }: { proven: boolean },
  ) => {
    const tenants = Array.from({ length: tenantCount }, () => webhooks.tenant());
    const urls = tenants.flatMap((tenant) =>
      Array.from({ length: endpointCount }, (_, number) => ({ tenant, url: `${hanging.url}/${number}` })),
    );
    for (let start = 0; start < urls.length; start += SUBSCRIPTIONS_AT_A_TIME)
      await Promise.all(
        urls.slice(start, start + SUBSCRIPTIONS_AT_A_TIME).map(({ tenant, url }) => tenant.subscribe(url)),
      );
    if (proven) await webhooks.pool.query("update endpoints set proven = true, window_size = 16");
    hanging.behave(() => "hang");
    for (let event = 0; event < EVENTS; event += 1)
      for (const { tenantId } of tenants) await webhooks.emit(tenantId, { event });
    await until(
      "every delivery to be in progress or to wait",
      async () =>
        (await count("deliveries where queue_state is not null")) === urls.length * EVENTS &&
        hanging.received.length === (await count("deliveries where queue_state = 'queued'")),
    );
    expect(await count("deliveries where queue_state = 'waiting'")).toBeGreaterThan(0);
  };

  const delivered = async (tenant: TestTenant, id: string) => {
    await webhooks.emit(tenant.tenantId);
    await until("its delivery", async () => (await tenant.deliveries(id))[0]?.status === "delivered");
  };

  test.each([
    ["300 new endpoints of 6 tenants", 6, 50, { proven: false }],
    ["50 new endpoints of one tenant", 1, 50, { proven: false }],
    ["300 endpoints of 6 tenants that were proven", 6, 50, { proven: true }],
  ])("a stranger's first delivery is attempted: %s", async (_title, tenantCount, endpointCount, options) => {
    const known = webhooks.tenant();
    const { id: knownId } = await known.subscribe(`${healthy.url}/known`);
    await delivered(known, knownId);
    const endedBefore = await count("attempts");
    await hangingTenants(tenantCount, endpointCount, options);
    const stranger = webhooks.tenant();
    const { id } = await stranger.subscribe(`${healthy.url}/stranger`);
    await delivered(stranger, id);
    await webhooks.emit(known.tenantId);
    await until("the delivery to a proven endpoint", () => healthy.received.length === 3);
    await until("both to be recorded", async () => (await count("attempts")) - endedBefore >= 2);
    // No hanging attempt has ended.
    expect((await count("attempts")) - endedBefore).toBe(2);
    expect(hanging.received.length).toBeLessThanOrEqual(4 * CONCURRENCY);
  });
});
