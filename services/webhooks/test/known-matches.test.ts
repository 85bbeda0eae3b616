// Fan-out plans with the subscriptions that it knows from earlier events. A change since then applies at once all the same.
import { randomUUID } from "node:crypto";
import { until } from "@tradepost/testing";
import { resumeDeliveries, suspendDeliveries } from "../src/operate.ts";
import { useWebhooks } from "./support/use-webhooks.ts";

const { webhooks, receiver, tenant } = useWebhooks({ WEBHOOKS_RETRY_SCHEDULE: "1h" });

/** A subscription whose standing no longer changes, so that fan-out knows its latest state. */
const subscribeAndKnow = async () => {
  const { id } = await tenant.subscribe("/hook");
  for (let count = 1; count <= 10; count += 1) {
    await tenant.emit();
    await tenant.untilAll(id, "delivered", count);
  }
  receiver.received.length = 0;
  return id;
};

const statusOf = async (subscriptionId: string, eventId: string) =>
  (await tenant.deliveries(subscriptionId)).find((one) => one.eventId === eventId)?.status;

test("a pause, a new subscription, a changed URL, a filter and a deletion apply to the next event", async () => {
  const id = await subscribeAndKnow();
  await tenant.setActive(id, false);
  expect(await statusOf(id, await tenant.emitAndStore())).toBe("paused");
  await tenant.setActive(id, true);
  await receiver.waitFor("the delivery", ({ path }) => path === "/hook");

  const other = await tenant.subscribe("/other");
  await tenant.emitAndStore();
  await receiver.waitFor("a request to the new one", ({ path }) => path === "/other");

  await tenant.change(id, { url: `${receiver.url}/changed` });
  await tenant.emitAndStore();
  await receiver.waitFor("a request to the changed one", ({ path }) => path === "/changed");

  await tenant.change(id, { filter: { fromPrefix: ["/wanted"] } });
  expect(await statusOf(id, await tenant.emitAndStore({ from: "/unwanted" }))).toBeUndefined();

  await tenant.unsubscribe(id);
  const last = await tenant.emitAndStore({ from: "/wanted" });
  expect(await statusOf(id, last)).toBeUndefined();
  expect(await statusOf(other.id, last)).toBeDefined();
});

test("the suspension of the tenant, which changes no version, applies to the next event", async () => {
  const id = await subscribeAndKnow();
  await suspendDeliveries(webhooks.db, tenant.tenantId);
  expect(await statusOf(id, await tenant.emitAndStore())).toBe("paused");
  await resumeDeliveries(webhooks.db, tenant.tenantId);
  await tenant.untilAll(id, "delivered", 11);
});

test("a secret that was sealed again, which changes no version, applies to the next event", async () => {
  const id = await subscribeAndKnow();
  // This secret cannot be opened, so nothing can be sent.
  await webhooks.query(
    `update subscriptions set secret_sealed = '\\x00'
       from (select set_config('tradepost.resealing', 'on', true) as resealing) setting
      where tenant_id = $1 and id = $2 and resealing = 'on'`,
    tenant.tenantId,
    id,
  );
  const eventId = await tenant.emitAndStore();
  await webhooks.tenant().deliver("/control");
  expect(await statusOf(id, eventId)).toBe("pending");
  expect(receiver.paths()).toEqual(["/control"]);
});

/** An event whose insertion waits, after it was matched, until another transaction with the same event rolls back. */
const heldEvent = async () => {
  const id = randomUUID();
  const insert = `insert into events (tenant_id, id, type, occurred_at, request_id, data)
    values ($1, $2, 'redirect.added', now(), 'r', '{}')`;
  const holder = await webhooks.begin(insert, tenant.tenantId, id);
  await tenant.emit({}, { id });
  await webhooks.untilLocked();
  return holder;
};

test("a pause waits for an event that is being stored, and finds its delivery", async () => {
  const id = await subscribeAndKnow();
  const respond = receiver.hold();
  const holder = await heldEvent();
  const paused = tenant.setActive(id, false);
  await webhooks.untilLocked(2);
  await holder[Symbol.asyncDispose]();
  expect((await paused).status).toBe(200);
  expect((await tenant.statuses(id)).toSorted().at(-1)).toBe("paused");
  respond(500);
});

test("an event waits for a pause that is being stored, and is not sent", async () => {
  const id = await subscribeAndKnow();
  const pause = "update subscriptions set active = false where tenant_id = $1 and id = $2";
  await using holder = await webhooks.begin(pause, tenant.tenantId, id);
  const eventId = await tenant.emit();
  await webhooks.untilLocked();
  await holder.commit();
  await until("its delivery", async () => (await statusOf(id, eventId)) === "paused");
  expect(receiver.received).toHaveLength(0);
});

test("a replay for a subscription that is created while an event is being stored waits for the event", async () => {
  // The tenant is known to have no subscription.
  await tenant.emitAndStore();
  const holder = await heldEvent();
  const { id } = await tenant.subscribe("/hook");
  const { body } = await tenant.replay(id, "missing");
  const replay = () => tenant.get(`replays/${body.data.id}`);
  const before = await replay();
  await holder[Symbol.asyncDispose]();
  expect(before).toMatchObject({ status: "running", requeued: 0 });
  await until("the end", async () => (await replay()).status === "finished");
  expect(await replay()).toMatchObject({ matched: 2, requeued: 2, skipped: 0 });
});
