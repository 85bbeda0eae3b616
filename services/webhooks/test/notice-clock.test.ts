// The notices that depend on time, not on an attempt (interface §17).
import { expect, test } from "@jest/globals";
import { until } from "@tradepost/testing";
import { insertBacklog } from "./support/backlog.ts";
import { useSharedWebhooks } from "./support/use-webhooks.ts";
import type { TestTenant } from "./support/webhooks.ts";

const BOUND = 10;
const DAYS_MAX = 30;

const { webhooks, receiver } = useSharedWebhooks(
  {
    WEBHOOKS_RETRY_SCHEDULE: "1h",
    WEBHOOKS_WAITING_MAX: String(BOUND),
    WEBHOOKS_WAITING_DAYS_MAX: String(DAYS_MAX),
  },
  { lookAtBoundsEveryMs: 100 },
);

async function subscribed() {
  const tenant = webhooks.tenant();
  const { id } = await tenant.subscribe(`${receiver.url}/hook`);
  return { tenant, id };
}

/** Makes a tenant for which this many deliveries wait for a retry in an hour. */
async function withWaiting(count: number): Promise<TestTenant> {
  const { tenant, id } = await subscribed();
  await insertBacklog(webhooks.pool, tenant, id, count, "delayed");
  return tenant;
}

const query = (text: string, { tenantId }: TestTenant, ...values: unknown[]) =>
  webhooks.pool.query(text, [tenantId, ...values]);
const untilNotice = (tenant: TestTenant, kind: string, { isOpen }: { isOpen: boolean }) =>
  until(`a notice ${kind} that is ${isOpen ? "open" : "closed"}`, async () => {
    const [notice, ...others] = await tenant.notices(`?kind=${kind}`);
    expect(others).toEqual([]);
    return notice !== undefined && (notice.closedAt === null) === isOpen && notice;
  });

test("much that waits is noticed from 80 % of the bound on, until it is below 50 %", async () => {
  const kind = "waiting_near_bound";
  const less = await withWaiting(7);
  const [one, other] = [await withWaiting(8), await withWaiting(8)];
  const { facts } = await untilNotice(one, kind, { isOpen: true });
  expect(facts).toEqual({ waiting: 8, bound: BOUND, oldestCreatedAt: null });
  await untilNotice(other, kind, { isOpen: true });
  const drop = (tenant: TestTenant, count: number) =>
    query(
      "delete from deliveries where ctid = any(array(select ctid from deliveries where tenant_id = $1 limit $2))",
      tenant,
      count,
    );
  await drop(one, 3);
  await drop(other, 4);
  expect((await untilNotice(other, kind, { isOpen: false })).facts).toMatchObject({ waiting: 4 });
  await untilNotice(one, kind, { isOpen: true });
  await drop(one, 1);
  await untilNotice(one, kind, { isOpen: false });
  expect(await less.notices(`?kind=${kind}`)).toEqual([]);
});

test("what waits long is noticed from 80 % of the bound on, until it is below 50 %", async () => {
  const kind = "waiting_near_bound";
  const [less, one, other] = [await withWaiting(1), await withWaiting(1), await withWaiting(1)];
  const age = (tenant: TestTenant, days: number) =>
    query(
      "update deliveries set created_at = now() - $2 * interval '1 day' where tenant_id = $1",
      tenant,
      days,
    );
  await age(less, DAYS_MAX * 0.79);
  await age(one, DAYS_MAX * 0.81);
  await age(other, DAYS_MAX * 0.81);
  const { facts } = await untilNotice(one, kind, { isOpen: true });
  const { rows } = await query("select created_at from deliveries where tenant_id = $1", one);
  expect(facts).toEqual({ waiting: 1, bound: BOUND, oldestCreatedAt: rows[0].created_at.toISOString() });
  await untilNotice(other, kind, { isOpen: true });
  await age(one, DAYS_MAX * 0.51);
  await age(other, DAYS_MAX * 0.49);
  await untilNotice(other, kind, { isOpen: false });
  await untilNotice(one, kind, { isOpen: true });
  await age(one, DAYS_MAX * 0.49);
  await untilNotice(one, kind, { isOpen: false });
  expect(await less.notices(`?kind=${kind}`)).toEqual([]);
});

test("the end of a secret's overlap is noticed an hour before, until it is there", async () => {
  const kind = "secret_overlap_ends";
  const [one, later] = [await subscribed(), await subscribed()];
  for (const { tenant, id } of [one, later]) await tenant.act(id, "rotate-secret");
  const endAfter = (tenant: TestTenant, minutes: number) =>
    query(
      "update subscriptions set previous_secret_until = now() + $2 * interval '1 minute' where tenant_id = $1",
      tenant,
      minutes,
    );
  await endAfter(later.tenant, 62);
  await endAfter(one.tenant, 59);
  const { subscriptionId, facts } = await untilNotice(one.tenant, kind, { isOpen: true });
  const { body } = await one.tenant.owner().get(`/v1/webhooks/subscriptions/${one.id}`);
  expect([subscriptionId, facts]).toEqual([one.id, { endsAt: body.data.previousSecretUntil }]);
  await endAfter(one.tenant, 0);
  await untilNotice(one.tenant, kind, { isOpen: false });
  expect(await later.tenant.notices(`?kind=${kind}`)).toEqual([]);
});

test("deliveries that failed for good are noticed until none has failed for a day", async () => {
  const kind = "delivery_failed";
  receiver.behave(() => 500);
  const [one, other] = [await subscribed(), await subscribed()];
  for (const { tenant, id } of [one, other]) {
    await webhooks.emit(tenant.tenantId);
    await until("the first failure", async () => (await tenant.deliveries(id))[0]?.status === "retrying");
    await tenant.act(id, "retry-waiting");
    await untilNotice(tenant, kind, { isOpen: true });
  }
  const quietFor = ({ tenant }: typeof one, hours: number) =>
    query("update notices set seen_at = now() - $2 * interval '1 hour' where tenant_id = $1", tenant, hours);
  await quietFor(one, 23.9);
  await quietFor(other, 24.1);
  await untilNotice(other.tenant, kind, { isOpen: false });
  await untilNotice(one.tenant, kind, { isOpen: true });
});
