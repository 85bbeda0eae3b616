// Creates a platform with events of two tenants: delivered, failed, paused, and without a subscription. No delivery is pending.
import { until } from "@tradepost/testing";
import { startTestPlatform, type TestTenant } from "./test-platform.ts";

/** The number of events of the first tenant that one endpoint received. For another endpoint the same events are paused. */
export const DELIVERED = 4;
/** The number of events of the second tenant whose delivery failed. */
export const FAILED = 2;

export async function startPlatformWithTraffic() {
  const platform = await startTestPlatform({ WEBHOOKS_RETRY_SCHEDULE: "100ms" });
  const receiver = await platform.startReceiver();
  receiver.behave(({ path }) => (path === "/failing" ? 500 : 200));
  const [webhooks, content] = [platform.pool("webhooks"), platform.pool("content")];
  const [one, two] = await Promise.all([platform.createTenant(), platform.createTenant()]);
  await Promise.all([subscribe(one, `${receiver.url}/hook`), subscribe(two, `${receiver.url}/failing`)]);
  const paused = await subscribe(one, `${receiver.url}/paused`);
  await one.owner.patch(`/v1/webhooks/subscriptions/${paused}`, { active: false });
  const deleted = await subscribe(one, `${receiver.url}/deleted`, ["redirect.removed"]);
  for (let number = 1; number <= DELIVERED; number += 1) await addRedirect(one, number);
  for (let number = 1; number <= FAILED; number += 1) await addRedirect(two, number);
  await one.owner.delete(`/v1/webhooks/subscriptions/${deleted}`);
  // No subscription matches this event, but the webhooks service stores it.
  const { body } = await one.key.get("/v1/redirects");
  await one.key.delete(`/v1/redirects/${body.data[0].id}`);
  // A test event, which no producer published.
  await one.owner.post(`/v1/webhooks/subscriptions/${paused}/test`);
  await until("the end of all deliveries", async () => {
    const { rows } = await webhooks.query(
      "select count(*) filter (where status = 'delivered')::int as delivered, count(*) filter (where status = 'failed')::int as failed from delivery_log",
    );
    return rows[0].delivered === DELIVERED && rows[0].failed === FAILED;
  });
  await until("the last event", async () => {
    const { rows } = await webhooks.query("select from events where type = 'redirect.removed'");
    return rows.length === 1;
  });
  await until("the dead letters", async () => {
    const { rows } = await webhooks.query("select from dead_letters where published_at is not null");
    return rows.length === FAILED;
  });
  return { platform, one, two, webhooks, content, stop: platform.stop };
}

async function subscribe(tenant: TestTenant, url: string, events = ["redirect.added"]): Promise<string> {
  const { body } = await tenant.owner.post("/v1/webhooks/subscriptions", { name: "Test", url, events });
  return body.data.id;
}

async function addRedirect(tenant: TestTenant, number: number): Promise<void> {
  const { status } = await tenant.key.post("/v1/redirects", { from: `/old-${number}`, to: "/new" });
  if (status !== 201) throw new Error(`no redirect: ${status}`);
}
