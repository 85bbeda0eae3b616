// A tenant's use of this service, as the gateway reads it, and the notices about its quotas (interface §19).
import { expect, test } from "@jest/globals";
import { until } from "@tradepost/testing";
import { v7 as uuidv7 } from "uuid";
import { applyRetention } from "../src/log/retention.ts";
import { makeDays } from "./support/past-days.ts";
import { useWebhooks } from "./support/use-webhooks.ts";
import type { TestTenant } from "./support/webhooks.ts";

const { webhooks, receiver } = useWebhooks({ WEBHOOKS_RETRY_SCHEDULE: "1h" });

const usage = async (tenant: TestTenant) =>
  (await tenant.owner().get("/internal/usage?counts=true")).body.data;
const storedBytes = async ({ tenantId }: TestTenant) => {
  const rows = await webhooks.query(
    "select coalesce(sum(octet_length(data::text)), 0)::int as bytes from events where tenant_id = $1",
    tenantId,
  );
  return rows[0].bytes;
};
const put = (tenant: TestTenant, near: object[]) => tenant.owner().put("/internal/near-quotas", { near });
const notices = async (tenant: TestTenant, query = "") =>
  (await tenant.owner().get(`/v1/notices?kind=quota_near${query}`)).body.data;

test("counts the bytes of events, examples too, and what waits", async () => {
  const [tenant, other] = [webhooks.tenant(), webhooks.tenant()];
  receiver.behave(() => 500);
  const { id } = await tenant.subscribe(`${receiver.url}/hook`);
  expect(await usage(tenant)).toEqual({
    bytes: { mediaBytes: 0, eventBytes: 0 },
    counts: { deliveriesWaiting: 0 },
  });
  for (let number = 0; number < 3; number++) await webhooks.emit(tenant.tenantId, { number, text: "ä" });
  await until("three deliveries wait", async () => (await usage(tenant)).counts.deliveriesWaiting === 3);
  const received = await storedBytes(tenant);
  expect((await usage(tenant)).bytes.eventBytes).toBe(received);
  expect((await tenant.act(id, "test")).status).toBe(202);
  const withExample = await storedBytes(tenant);
  expect(withExample).toBeGreaterThan(received);
  expect((await usage(tenant)).bytes.eventBytes).toBe(withExample);
  expect((await usage(other)).bytes.eventBytes).toBe(0);
  const tenantIds = [tenant.tenantId, other.tenantId];
  expect((await other.owner().post("/internal/usage", { tenantIds })).body.data).toEqual([
    { tenantId: tenant.tenantId, bytes: { mediaBytes: 0, eventBytes: withExample } },
  ]);
});

test("forgets the bytes of days that are dropped", async () => {
  const tenant = webhooks.tenant();
  await webhooks.emit(tenant.tenantId);
  await until("it is received", async () => (await usage(tenant)).bytes.eventBytes > 0);
  await webhooks.query("update received_bytes set day = day - 31 where tenant_id = $1", tenant.tenantId);
  await applyRetention(webhooks.pool, 30);
  expect((await usage(tenant)).bytes.eventBytes).toBeGreaterThan(0);
  await webhooks.query("update received_bytes set day = day - 1 where tenant_id = $1", tenant.tenantId);
  await applyRetention(webhooks.pool, 30);
  expect((await usage(tenant)).bytes.eventBytes).toBe(0);
});

test("keeps the bytes of a day whose partition is kept", async () => {
  const tenant = webhooks.tenant();
  await makeDays(webhooks.pool, [50], ["events"]);
  const id = uuidv7({ msecs: Date.now() - 50 * 24 * 60 * 60 * 1_000 });
  await webhooks.emit(tenant.tenantId, {}, { id });
  await until("it is received", async () => (await usage(tenant)).bytes.eventBytes > 0);
  const before = (await usage(tenant)).bytes.eventBytes;
  await webhooks.query("update received_bytes set day = day - 50 where tenant_id = $1", tenant.tenantId);
  // So many deliveries still need their events that the day is not dropped.
  const fill = `
    with filled as (
      select (left($2::text, 19) || substr(gen_random_uuid()::text, 20))::uuid as id from generate_series(1, 10001)
    ), event as (
      insert into events (tenant_id, id, type, occurred_at, request_id, data)
      select $1, id, 'redirect.added', now(), 'r', '{}' from filled
    )
    insert into delivery_log (tenant_id, id, subscription_id, event_id, type, status, attempt_count, generation,
                              created_at, completed_at)
    select $1, id, $1, id, 'redirect.added', 'delivered', 1, 1, now(), now() from filled`;
  await webhooks.query(fill, tenant.tenantId, id);
  await applyRetention(webhooks.pool, 30);
  expect((await usage(tenant)).bytes.eventBytes).toBe(before);
  await webhooks.query("delete from delivery_log where tenant_id = $1", tenant.tenantId);
  await applyRetention(webhooks.pool, 30);
  expect((await usage(tenant)).bytes.eventBytes).toBe(0);
});

test("opens one notice for each quota that is near, and closes it", async () => {
  const tenant = webhooks.tenant();
  const media = { quota: "mediaBytes", used: 800, max: 1_000 };
  const events = { quota: "eventBytes", used: 90, max: 100 };
  await put(tenant, [media]);
  await put(tenant, [{ ...media, used: 900 }, events]);
  expect(await notices(tenant)).toMatchObject([
    { subject: "Events", subscriptionId: null, closedAt: null, facts: events },
    { subject: "Media", closedAt: null, facts: media },
  ]);
  await put(tenant, [events]);
  expect(await notices(tenant, "&open=true")).toMatchObject([{ subject: "Events" }]);
  await put(tenant, []);
  await put(tenant, [media]);
  expect((await notices(tenant)).map(({ subject }: { subject: string }) => subject)).toEqual([
    ...["Media", "Events", "Media"],
  ]);
  expect((await put(tenant, [{ ...media, max: 0 }])).status).toBe(422);
});

test("an example is refused beyond the quota, and a subscription is not", async () => {
  const tenant = webhooks.tenant();
  const { id } = await tenant.subscribe(`${receiver.url}/hook`);
  const stopped = webhooks.as({ tenantId: tenant.tenantId, passedQuotas: ["eventBytes"] });
  const test = await stopped.post(`/v1/webhooks/subscriptions/${id}/test`);
  expect([test.status, test.body.error.code, test.body.error.quota]).toEqual([
    409,
    "quota_exceeded",
    "eventBytes",
  ]);
  const paused = await stopped.patch(`/v1/webhooks/subscriptions/${id}`, { active: false });
  expect(paused.status).toBe(200);
});
