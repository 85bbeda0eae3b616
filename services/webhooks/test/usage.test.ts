// A tenant's use of this service, as the gateway reads it, and the notices about its quotas (interface §19).
import { randomUUID } from "node:crypto";
import { until } from "@tradepost/testing";
import { v7 as uuidv7 } from "uuid";
import { applyRetention } from "../src/log/retention.ts";
import { insertDelivered, makeDays } from "./support/past-days.ts";
import { useWebhooks } from "./support/use-webhooks.ts";

const { webhooks, receiver, tenant } = useWebhooks({ WEBHOOKS_RETRY_SCHEDULE: "1h" });

const usage = async (of = tenant) => (await of.owner().get("/internal/usage?counts=true")).body.data;
const STORED =
  "select coalesce(sum(octet_length(data::text)), 0)::int as bytes from events where tenant_id = $1";
const storedBytes = async () => (await webhooks.query(STORED, tenant.tenantId))[0].bytes;
/** Moves the counted bytes of a tenant into the past and applies the retention. Returns what is counted then. */
const bytesAfter = async (days: number) => {
  const age = "update received_bytes set day = day - $2::integer where tenant_id = $1";
  await webhooks.query(age, tenant.tenantId, days);
  await applyRetention(webhooks.pool, 30);
  return (await usage()).bytes.eventBytes;
};
const put = (near: object[]) => tenant.owner().put("/internal/near-quotas", { near });
const notices = (query = "") => tenant.notices(`?kind=quota_near${query}`);

test("counts the bytes of events, examples too, and what waits", async () => {
  const other = webhooks.tenant();
  receiver.behave(() => 500);
  const { id } = await tenant.subscribe("/hook");
  const none = { bytes: { mediaBytes: 0, eventBytes: 0 }, counts: { deliveriesWaiting: 0 } };
  expect(await usage()).toEqual(none);
  for (const number of [0, 1, 2]) await tenant.emit({ number, text: "ä" });
  await until("three deliveries wait", async () => (await usage()).counts.deliveriesWaiting === 3);
  const received = await storedBytes();
  expect((await usage()).bytes.eventBytes).toBe(received);
  expect((await tenant.act(id, "test")).status).toBe(202);
  const withExample = await storedBytes();
  expect(withExample).toBeGreaterThan(received);
  expect((await usage()).bytes.eventBytes).toBe(withExample);
  expect((await usage(other)).bytes.eventBytes).toBe(0);
  const tenantIds = [tenant.tenantId, other.tenantId];
  expect((await other.owner().post("/internal/usage", { tenantIds })).body.data).toEqual([
    { tenantId: tenant.tenantId, bytes: { mediaBytes: 0, eventBytes: withExample } },
  ]);
});

test("forgets the bytes of days that are dropped", async () => {
  await tenant.emit();
  await until("it is received", async () => (await usage()).bytes.eventBytes > 0);
  expect(await bytesAfter(31)).toBeGreaterThan(0);
  expect(await bytesAfter(1)).toBe(0);
});

test("keeps the bytes of a day whose partition is kept", async () => {
  await makeDays(webhooks.pool, [50], ["events"]);
  const id = uuidv7({ msecs: Date.now() - 50 * 24 * 60 * 60 * 1_000 });
  await tenant.emit({}, { id });
  await until("it is received", async () => (await usage()).bytes.eventBytes > 0);
  const before = (await usage()).bytes.eventBytes;

  // So many deliveries still need their events that the day is not dropped.
  const made = `
    select (left($3::text, 19) || substr(gen_random_uuid()::text, 20))::uuid as id, now() as at
      from generate_series(1, 10001)`;
  await insertDelivered(webhooks.pool, tenant.tenantId, randomUUID(), made, id);
  expect(await bytesAfter(50)).toBe(before);
  await webhooks.query("delete from delivery_log where tenant_id = $1", tenant.tenantId);
  expect(await bytesAfter(0)).toBe(0);
});

test("opens one notice for each quota that is near, and closes it", async () => {
  const media = { quota: "mediaBytes", used: 800, max: 1_000 };
  const events = { quota: "eventBytes", used: 90, max: 100 };
  await put([media]);
  await put([{ ...media, used: 900 }, events]);
  expect(await notices()).toMatchObject([
    { subject: "Events", subscriptionId: null, closedAt: null, facts: events },
    { subject: "Media", closedAt: null, facts: media },
  ]);
  await put([events]);
  expect(await notices("&open=true")).toMatchObject([{ subject: "Events" }]);
  await put([]);
  await put([media]);
  expect((await notices()).map(({ subject }) => subject)).toEqual(["Media", "Events", "Media"]);
  expect((await put([{ ...media, max: 0 }])).status).toBe(422);
});

test("an example is refused beyond the quota, and a subscription is not", async () => {
  const { id } = await tenant.subscribe("/hook");
  const stopped = webhooks.as({ tenantId: tenant.tenantId, passedQuotas: ["eventBytes"] });
  const test = await stopped.post(`/v1/webhooks/subscriptions/${id}/test`);
  expect(test).toMatchObject({
    status: 409,
    body: { error: { code: "quota_exceeded", quota: "eventBytes" } },
  });
  const paused = await stopped.patch(`/v1/webhooks/subscriptions/${id}`, { active: false });
  expect(paused.status).toBe(200);
});
