// `ops status` of a platform at work, and of one in which several things need somebody.
import { until } from "@tradepost/testing";
import { publishMessages } from "../support/broker-messages.ts";
import { dataOf } from "../support/data-of.ts";
import { opsJsonOn, opsOn } from "../support/run-ops.ts";
import { startTestPlatform } from "../support/test-platform.ts";

const platform = await startTestPlatform();
afterAll(() => platform.stop());

const lastLineOf = (text: string) => text.trimEnd().split("\n").at(-1);

test("a platform at work needs nobody", async () => {
  const { key, customerId } = await platform.createTenant();
  dataOf(await key.post("/v1/orders", { customerId, items: [{ sku: "MUG", name: "Mug" }] }), 201);
  const { code, stdout, stderr } = await opsOn(platform)("status");
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect(lastLineOf(stdout)).toBe("Nothing needs you.");
  const status = await opsJsonOn(platform)("status");
  expect(status).toMatchObject({
    processes: ["gateway", "orders", "content", "webhooks"].map((service) => ({
      service,
      isReady: true,
      missing: [],
    })),
    broker: { version: expect.stringMatching(/^\d+\./), alarms: [], poison: 0 },
    deliveries: { oldestWaitingSeconds: expect.any(Number), dead: 0, endpointsDown: 0, notices: {} },
    ...{ tenantsNearQuota: 0, needs: [] },
  });
  const [, orders] = status.processes;
  expect(orders).toMatchObject({
    version: expect.stringMatching(/^\d+\.\d+\.\d+/),
    since: expect.stringMatching(/Z$/),
  });
  expect(status.databases.orders).toMatchObject({
    ...{
      version: expect.stringMatching(/^\d+/),
      connections: expect.any(Number),
      connectionsMax: expect.any(Number),
    },
    ...{ bytes: expect.any(Number), standbys: [], waitsForStandby: false },
    outbox: { pending: expect.any(Number), parked: 0, oldestSeconds: expect.any(Number) },
  });
});

test("each problem is named with what to do about it", async () => {
  await platform.pools.gateway.query("update tenants set near_quotas = '{eventBytes}'");
  await platform.pools.content.query(
    `insert into outbox (event_id, aggregate_id, type, tenant_id, request_id, traceparent, actor, data, parked_at, attempts, next_try_at, occurred_at)
     select gen_random_uuid(), gen_random_uuid(), 'redirect.added', gen_random_uuid(), 'r', 't', '{}', '{}', parked_at, 3,
            now() + interval '1 hour', now() - interval '2 minutes'
       from (values (now()), (null)) as event (parked_at)`,
  );
  await publishMessages(platform.broker.amqpUrl, (channel) => {
    channel.sendToQueue("webhooks.poison", Buffer.from("?"));
  });
  await platform.stopOrders();

  // The broker's counts are some seconds old.
  const { code, stdout } = await until("the broker's count", async () => {
    const shown = await opsOn(platform)("status");
    return shown.stdout.includes("poison list") && shown;
  });
  expect(code).toBe(0);
  for (const line of [
    `orders at ${platform.urls.orders} does not respond: docs/runbooks/service-missing.md`,
    "1 events of content are parked: npm run ops -- outbox",
    "1 messages could not be read: npm run ops -- poison list",
    "1 tenants have nearly used up a quota: npm run ops -- notices list --open --kind quota_near",
  ])
    expect(stdout).toContain(line);
  expect(stdout).toMatch(/events of content waits for \d+ s to be published: docs\/runbooks\/outbox-old\.md/);
});
