// The receiving end of the canary: it is separate from tenants, survives a lost sealing key, and can be switched off.
import { CANARY_TENANT_ID } from "@tradepost/event-catalog";
import { readMetrics, until } from "@tradepost/testing";
import { useWebhooks } from "./support/use-webhooks.ts";

const ON = { CANARY_EVERY_MS: "60000" };

const { webhooks } = useWebhooks(ON);
const count = async (table: "subscriptions" | "deliveries") =>
  (await webhooks.query(`select from ${table} where tenant_id = $1`, CANARY_TENANT_ID)).length;
const untilDelivered = (eventId: string) =>
  until("the canary to be delivered", async () => {
    const rows = await webhooks.query(
      "select attempts.* from delivery_log join attempts on delivery_id = delivery_log.id where event_id = $1 and status = 'delivered'",
      eventId,
    );
    return rows[0];
  });

test("is delivered by every replica to its own listener", async () => {
  const replica = await webhooks.startReplica();
  const sent = await Promise.all(Array.from({ length: 6 }, () => webhooks.emit(CANARY_TENANT_ID)));
  for (const id of sent) {
    expect(await untilDelivered(id)).toMatchObject({ attempt: 1, outcome: "delivered", status_code: 204 });
  }
  expect(await count("subscriptions")).toBe(1);
  await replica.stop();
});

test("is as old as the newest one, also when older ones are published again", async () => {
  await untilDelivered(await webhooks.emit(CANARY_TENANT_ID));
  const anHourAgo = new Date(Date.now() - 3_600_000).toISOString();
  await untilDelivered(await webhooks.emit(CANARY_TENANT_ID, {}, { occurred_at: anHourAgo }));
  const metric = await readMetrics(webhooks.url());
  expect(metric("canary_age_seconds")).toBeLessThan(3_000);
});

test("is not reached by the subscription of a tenant with the same URL", async () => {
  const tenant = webhooks.tenant();
  const { delivery } = await tenant.deliver("https://canary.invalid/", "retrying");
  // The second is the outcome if no name server responds.
  expect(["address_refused", "dns_failed"]).toContain(delivery.attempts[0].outcome);
});

test("is delivered with a new secret after the sealing key was replaced", async () => {
  const lost = { WEBHOOKS_SEALING_KEY_LOST: "true" };
  await webhooks.restart({ ...ON, ...lost, WEBHOOKS_SEALING_KEY: Buffer.alloc(32, 7).toString("base64") });
  const id = await webhooks.emit(CANARY_TENANT_ID);
  expect(await untilDelivered(id)).toMatchObject({ outcome: "delivered" });
});

test("has no subscription and no deliveries once it is switched off", async () => {
  await webhooks.restart({ CANARY_EVERY_MS: "0" });
  expect(await count("subscriptions")).toBe(0);
  const id = await webhooks.emit(CANARY_TENANT_ID);
  await webhooks.untilSome("select from events where id = $1 and matched = 0", id);
  expect(await count("deliveries")).toBe(0);
  expect((await readMetrics(webhooks.url()))("canary_age_seconds")).toBeUndefined();
});
