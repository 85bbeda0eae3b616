// Pauses, resumes and deletes a subscription with many thousand open deliveries: the response does not wait for them, the change
// takes effect at once, and no other tenant waits.
import { until } from "@tradepost/testing";
import { explainDelivery, findStuck, readDeliveryTotals } from "../src/operate.ts";
import { insertBacklog, longestLockWait, rankOf } from "./support/backlog.ts";
import { useSharedWebhooks } from "./support/use-webhooks.ts";
import type { TestTenant } from "./support/webhooks.ts";

const OPEN_DELIVERIES = 40_000;
// The share of the reconciliation's time that a response or a lock may take. One statement that changed all deliveries would
// take the whole time.
const SHARE_MAX = 1 / 3;
const IN_PROGRESS_MAX = 200;
const SINCE = new Date(Date.now() - 2 * 24 * 60 * 60 * 1_000);

const { webhooks, receiver, tenant } = useSharedWebhooks({ WEBHOOKS_RETRY_SCHEDULE: "1h,1h" });
let otherTenant: TestTenant;
let id: string;
let newest: string;
/** Events that arrived during the reconciliation. */
let emitted = 0;

beforeAll(async () => {
  otherTenant = webhooks.tenant();
  id = (await tenant.subscribe("/backlog")).id;
  await otherTenant.subscribe("/other");
  ({ newest } = await insertBacklog(webhooks.pool, tenant, id, OPEN_DELIVERIES));
});

const sent = () => receiver.at("/backlog").map(({ headers }) => String(headers["x-service-delivery"]));
const isReconciled = async () => (await webhooks.query("select from reconciliations")).length === 0;
const counts = async () => {
  const rows = await webhooks.query(
    `select status, count(*)::int from (
       select status from deliveries where subscription_id = $1
        union all select status from delivery_log where subscription_id = $1) as every group by status`,
    id,
  );
  return Object.fromEntries(rows.map(({ status, count }) => [status, count])) as Record<string, number>;
};
const untilNoneInProgress = () =>
  until("the attempts to be settled", async () => (await counts()).delivered === sent().length);
const expectOk = async (change: Promise<{ status: number }>) => expect((await change).status).toBe(200);
const expectCounts = async (delivered: number, ended: "paused" | "cancelled") => {
  expect(sent()).toHaveLength(delivered);
  expect(await counts()).toEqual({ delivered, [ended]: OPEN_DELIVERIES + emitted - delivered });
};
/**
 * Changes the subscription, runs `work` during the reconciliation, and waits for its end. The response comes long
 * before that, and no statement waits for all deliveries.
 */
const changeWhile = async (change: () => Promise<{ status: number }>, work: () => Promise<unknown>) => {
  const startedAt = performance.now();
  let responseMs = Number.NaN;
  const waitedMs = await longestLockWait(webhooks.pool, async () => {
    await expectOk(change());
    responseMs = performance.now() - startedAt;
    expect(await isReconciled()).toBe(false);
    await work();
    await webhooks.untilReconciled(240_000);
  });
  const shareMs = (performance.now() - startedAt) * SHARE_MAX;
  expect(responseMs).toBeLessThan(shareMs);
  expect(waitedMs).toBeLessThan(shareMs);
};
/** Emits an event of each tenant in one batch of fan-out. The other tenant's event is delivered at once. */
const expectOtherTenantServed = async () => {
  const before = receiver.at("/other").length;
  await Promise.all([tenant.emit(), otherTenant.emit()]);
  emitted += 1;
  await until("the delivery of the other tenant", () => receiver.at("/other").length > before);
  expect(await isReconciled()).toBe(false);
};
const list = async (status: string) => await tenant.get(`deliveries?subscriptionId=${id}&status=${status}`);

test("is paused at once: nothing more is sent, and every delivery shows as paused", async () => {
  await until("a stream of deliveries", () => sent().length > 50);
  let sentBeforePause = 0;
  const pause = () => tenant.setActive(id, false);
  await changeWhile(pause, async () => {
    expect(await tenant.delivery(newest)).toMatchObject({ status: "paused", nextAttemptAt: null });
    expect(await list("pending")).toEqual([]);
    expect((await list("paused"))[0]).toMatchObject({ id: newest, status: "paused" });
    expect(await explainDelivery(webhooks.db, newest)).toMatchObject({ status: "paused", where: "paused" });
    await untilNoneInProgress();
    sentBeforePause = sent().length;
    await expectOtherTenantServed();
    expect(await findStuck(webhooks.db, { since: SINCE, overdueMs: 60_000, idsMax: 1 })).toEqual([]);
    const totals = await readDeliveryTotals(webhooks.db, SINCE, 1);
    expect(totals.find(({ tenantId }) => tenantId === tenant.tenantId)).toMatchObject({
      mismatchedCount: 0,
    });
    const redelivered = await tenant.redeliver(newest);
    expect(redelivered.body.data).toMatchObject({ status: "paused", attemptCount: 0 });
  });
  await expectCounts(sentBeforePause, "paused");
}, 300_000);

test("is resumed at once, oldest first, and paused again in the middle of it", async () => {
  const before = sent().length;
  await expectOk(tenant.setActive(id, true));
  expect(await tenant.delivery(newest)).toMatchObject({ status: "pending" });
  expect(await explainDelivery(webhooks.db, newest)).toMatchObject({ where: "window" });
  await expectOtherTenantServed();
  await until("a stream of deliveries", () => sent().length > before + 100);
  expect(await isReconciled()).toBe(false);
  for (const active of [false, true, false]) await expectOk(tenant.setActive(id, active));
  await untilNoneInProgress();
  const sentBeforePause = sent().length;
  const ranks = sent().slice(before).map(rankOf);
  expect(Math.max(...ranks)).toBeLessThan(sentBeforePause * 2 + IN_PROGRESS_MAX);
  await webhooks.untilReconciled(240_000);
  expect(new Set(sent()).size).toBe(sentBeforePause);
  await expectCounts(sentBeforePause, "paused");
}, 300_000);

test("is deleted at once during a resume, and its unsent deliveries are cancelled", async () => {
  const before = sent().length;
  await expectOk(tenant.setActive(id, true));
  await until("a stream of deliveries", () => sent().length > before + 50);
  let sentBeforeDeletion = 0;
  let cancelled: unknown;
  const unsubscribe = () => tenant.unsubscribe(id);
  await changeWhile(unsubscribe, async () => {
    cancelled = await tenant.delivery(newest);
    const expected = { status: "cancelled", nextAttemptAt: null, completedAt: expect.any(String) };
    expect(cancelled).toMatchObject(expected);
    const redelivered = await tenant.redeliver(newest);
    expect(redelivered.status).toBe(409);
    await untilNoneInProgress();
    sentBeforeDeletion = sent().length;
    await expectOtherTenantServed();
    // The event of the tenant came after the deletion.
    emitted -= 1;
  });
  expect(await tenant.delivery(newest)).toEqual(cancelled);
  expect(new Set(sent()).size).toBe(sentBeforeDeletion);
  await expectCounts(sentBeforeDeletion, "cancelled");
  expect(await webhooks.query("select from deliveries where tenant_id = $1", tenant.tenantId)).toEqual([]);
}, 300_000);
