// The notices of one endpoint in the order of its attempts, those that depend on time, and how they are listed and acknowledged
// (interface §17).
import { randomUUID } from "node:crypto";
import { readPages, until } from "@tradepost/testing";
import { createResponseBodies } from "../src/delivery/response-bodies.ts";
import { recordAttempts } from "../src/sending/settle/record-attempts.ts";
import { insertBacklog } from "./support/backlog.ts";
import { openNotices } from "./support/open-notices.ts";
import { useWebhooks } from "./support/use-webhooks.ts";
import type { Json, TestTenant } from "./support/webhooks.ts";

const BOUND = 10;
const DAYS_MAX = 30;

const { webhooks, receiver, tenant } = useWebhooks(
  {
    WEBHOOKS_RETRY_SCHEDULE: "1h",
    WEBHOOKS_WAITING_MAX: String(BOUND),
    WEBHOOKS_WAITING_DAYS_MAX: String(DAYS_MAX),
  },
  { lookAtBoundsEveryMs: 100 },
);

describe("the notices of one endpoint", () => {
  let subscriptionId: string;
  beforeEach(async () => {
    subscriptionId = (await tenant.subscribe("/hook")).id;
  });

  /** Records attempts with these status codes in one batch, each of another delivery. */
  async function attempt(...statusCodes: number[]) {
    const made = statusCodes.map((statusCode) => {
      const isDelivered = statusCode === 200;
      return {
        delivery: {
          ...{ tenantId: tenant.tenantId, subscriptionId, deliveryId: randomUUID(), eventId: randomUUID() },
          ...{ generation: 1, attempt: 1, requestId: "", traceparent: null, type: "redirect.added" },
          subscriptionVersion: 1,
        },
        attempt: {
          ...{ at: new Date(), durationMs: 1, statusCode, responseBody: null, holdMs: null },
          outcome: isDelivered ? ("delivered" as const) : ("http_status" as const),
        },
        transition: isDelivered
          ? { name: "attempt succeeded" as const }
          : { name: "attempt failed" as const, wait: { label: "1h", ms: 3_600_000 }, delayMs: 3_600_000 },
      };
    });
    await recordAttempts(webhooks.pool, createResponseBodies(), made, []);
  }

  test("two episodes in one batch are two notices, and the first closes before the second opens", async () => {
    await tenant.owner().put("/v1/notices/destination", { url: `${receiver.url}/notices` });
    await attempt(500, 500, 500, 500, 500, 200, 503, 503, 503, 503, 503);
    await until("three messages", () => receiver.received.length === 3);
    const [events, notices] = [
      receiver.sent("x-service-event"),
      receiver.bodies().map(({ data }) => data.notice),
    ];
    const listed = await tenant.notices();
    const [second, first] = listed;
    expect(listed).toMatchObject([{ closedAt: null }, { closedAt: expect.any(String) }]);
    expect(events).toEqual(["notice.opened", "notice.closed", "notice.opened"]);
    expect(notices).toMatchObject([
      ...[500, 500].map((lastStatusCode) => ({ id: first.id, facts: { lastStatusCode } })),
      { id: second.id, facts: { lastStatusCode: 503 } },
    ]);
  });

  test("notices are listed by the time of opening, the newest first, in pages", async () => {
    await attempt(410);
    await attempt(500, 500, 500, 500);
    await attempt(200);
    await attempt(410);
    const kinds = (notices: Json[]) => notices.map(({ kind, closedAt }) => [kind, closedAt === null]);
    const all = await tenant.notices();
    expect(kinds(all)).toEqual([
      ["endpoint_gone", true],
      ["endpoint_failing", false],
      ["endpoint_gone", false],
    ]);
    const pages = await readPages(tenant.owner(), "/v1/notices?limit=2");
    expect(pages).toEqual([all.slice(0, 2), all.slice(2)]);
    expect(kinds(await tenant.notices("?open=false"))).toEqual(kinds(all).slice(1));
    const { body } = await tenant.owner().get("/v1/notices?kind=nope");
    expect(body.error.message).toMatch(/^kind: must be one of endpoint_failing, endpoint_down, /);
  });

  test("acknowledging a closed notice is 200 and changes nothing", async () => {
    await attempt(410);
    await attempt(200);
    const [notice] = await tenant.notices();
    expect(notice).toMatchObject({ kind: "endpoint_gone", closedAt: expect.any(String) });
    const { status, body } = await tenant.owner().post(`/v1/notices/${notice.id}/acknowledge`);
    expect([status, body.data]).toEqual([200, { ...notice, acknowledgedAt: null, acknowledgedBy: null }]);
  });
});

describe("the notices that depend on time, not on an attempt,", () => {
  async function subscribed() {
    const tenant = webhooks.tenant();
    const { id } = await tenant.subscribe("/hook");
    return { tenant, id };
  }

  /** Makes a tenant for which this many deliveries wait for a retry in an hour. */
  async function withWaiting(count: number): Promise<TestTenant> {
    const { tenant, id } = await subscribed();
    await insertBacklog(webhooks.pool, tenant, id, count, "delayed");
    return tenant;
  }

  const query = (text: string, { tenantId }: TestTenant, ...values: unknown[]) =>
    webhooks.query(text, tenantId, ...values);
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
    const DROP = `delete from deliveries
      where ctid = any(array(select ctid from deliveries where tenant_id = $1 limit $2))`;
    const drop = (tenant: TestTenant, count: number) => query(DROP, tenant, count);
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
    const AGE = "update deliveries set created_at = now() - $2 * interval '1 day' where tenant_id = $1";
    const age = (tenant: TestTenant, days: number) => query(AGE, tenant, days);
    await age(less, DAYS_MAX * 0.79);
    await age(one, DAYS_MAX * 0.81);
    await age(other, DAYS_MAX * 0.81);
    const { facts } = await untilNotice(one, kind, { isOpen: true });
    const rows = await query("select created_at from deliveries where tenant_id = $1", one);
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
    const END = `update subscriptions set previous_secret_until = now() + $2 * interval '1 minute'
      where tenant_id = $1`;
    const endAfter = (tenant: TestTenant, minutes: number) => query(END, tenant, minutes);
    await endAfter(later.tenant, 62);
    await endAfter(one.tenant, 59);
    const { subscriptionId, facts } = await untilNotice(one.tenant, kind, { isOpen: true });
    const { previousSecretUntil: endsAt } = await one.tenant.subscription(one.id);
    expect([subscriptionId, facts]).toEqual([one.id, { endsAt }]);
    await endAfter(one.tenant, 0);
    await untilNotice(one.tenant, kind, { isOpen: false });
    expect(await later.tenant.notices(`?kind=${kind}`)).toEqual([]);
  });

  test("deliveries that failed for good are noticed until none has failed for a day", async () => {
    const kind = "delivery_failed";
    receiver.behave(() => 500);
    const [one, other] = [await subscribed(), await subscribed()];
    for (const { tenant, id } of [one, other]) {
      await tenant.emit();
      await until("the first failure", async () => (await tenant.deliveries(id))[0]?.status === "retrying");
      await tenant.act(id, "retry-waiting");
      await untilNotice(tenant, kind, { isOpen: true });
    }
    const QUIET = "update notices set seen_at = now() - $2 * interval '1 hour' where tenant_id = $1";
    const quietFor = ({ tenant }: typeof one, hours: number) => query(QUIET, tenant, hours);
    await quietFor(one, 23.9);
    await quietFor(other, 24.1);
    await untilNotice(other.tenant, kind, { isOpen: false });
    await untilNotice(one.tenant, kind, { isOpen: true });
  });
});

test("mails that no server can take are dropped", async () => {
  // As if it was set while there was a mail server.
  const insert = "insert into notice_destinations (tenant_id, emails) values ($1, '{ada@shop.example}')";
  await webhooks.query(insert, tenant.tenantId);
  await openNotices(webhooks, [tenant], 2);
  await webhooks.query("update notice_messages set created_at = now() - interval '2 days'");
  await webhooks.untilNone("select from notice_messages where tenant_id = $1", tenant.tenantId);
}, 60_000);
