import { readMetrics, until } from "@tradepost/testing";
import { findStuck } from "../src/operate.ts";
import { listen } from "./support/listen.ts";
import { useWebhooks } from "./support/use-webhooks.ts";
import { faultsOf } from "./support/webhooks.ts";

const PATH = "/v1/webhooks/listeners";
const EVENTS = ["redirect.added"];

const { webhooks, tenant } = useWebhooks({ WEBHOOKS_RETRY_SCHEDULE: "1h", WEBHOOKS_SWEEP_GRACE_MS: "100" });
const create = async (body: Record<string, unknown> = {}) =>
  await tenant.owner().post(PATH, { name: "Laptop", events: EVENTS, ...body });

test("show their secret in the response to their creation only", async () => {
  const { status, headers, body } = await create({ expiresInHours: 2 });
  expect([status, headers.get("location"), headers.get("cache-control")]).toEqual([
    ...[201, `${PATH}/${body.data.id}`, "no-store"],
  ]);
  const { signingSecret, ...shown } = body.data;
  expect(signingSecret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  expect(shown).toEqual({
    id: expect.any(String),
    name: "Laptop",
    events: EVENTS,
    active: true,
    expiresInHours: 2,
    expiresAt: expect.any(String),
    createdAt: expect.any(String),
  });
  expect(Date.parse(shown.expiresAt) - Date.parse(shown.createdAt)).toBe(2 * 60 * 60 * 1_000);
  const read = {
    ...shown,
    signingSecretPreview: signingSecret.slice(0, 8),
    waiting: { pending: 0, retrying: 0, leased: 0, paused: 0 },
  };
  expect(await tenant.get(`listeners/${shown.id}`)).toEqual(read);
  const list = (await tenant.owner().get(PATH)).body;
  expect([list.data, list.page]).toEqual([[read], { nextCursor: null }]);
});

test("have a name and 24 hours unless the request says otherwise", async () => {
  const { body } = await create({ name: null, expiresInHours: null });
  expect([body.data.name, body.data.expiresInHours]).toEqual(["Listener", 24]);
});

test("the response names every field at fault", async () => {
  const refused = await create({ name: "", events: ["order.placed"], expiresInHours: 721, url: "x" });
  expect(faultsOf(refused)).toEqual([422, "events[0]", "expiresInHours", "name", "url"]);
  expect(JSON.stringify(refused.body.error.details)).toContain(
    "orders have a change feed: /v1/orders/events",
  );
  for (const expiresInHours of [0, 1.5, "24"]) expect((await create({ expiresInHours })).status).toBe(422);
});

test("a tenant has at most 20, also if they are created at once", async () => {
  const responses = await Promise.all(Array.from({ length: 23 }, () => create()));
  const codes = responses.map(({ status, body }) => (status === 201 ? "created" : body.error.code)).sort();
  expect(codes).toEqual([...Array(20).fill("created"), ...Array(3).fill("listener_limit")]);
  const refusal = responses.find(({ status }) => status === 409);
  expect(refusal?.body.error.message).toContain("DELETE /v1/webhooks/listeners/{id}");
  const [first] = responses.filter(({ status }) => status === 201);
  await tenant.owner().delete(`${PATH}/${first?.body.data.id}`);
  expect((await create()).status).toBe(201);
});

test("are not subscriptions, and subscriptions are not listeners", async () => {
  const subscription = await tenant.subscribe("https://hooks.example.com/in");
  const { id } = (await create()).body.data;
  const owner = tenant.owner();
  const subscriptions = "/v1/webhooks/subscriptions";
  expect(await tenant.get("subscriptions")).toMatchObject([{ id: subscription.id }]);
  expect(await tenant.get("listeners")).toMatchObject([{ id }]);
  const responses = await Promise.all([
    owner.get(`${subscriptions}/${id}`),
    owner.patch(`${subscriptions}/${id}`, { active: false }),
    owner.delete(`${subscriptions}/${id}`),
    owner.post(`${subscriptions}/${id}/rotate-secret`, {}),
    owner.post(`${subscriptions}/${id}/test`, {}),
    owner.post(`${subscriptions}/${id}/recover`, { since: "2026-01-01T00:00:00Z" }),
    owner.post(`${subscriptions}/${id}/recover`, { since: "2026-01-01T00:00:00Z", dryRun: true }),
    owner.get(`${PATH}/${subscription.id}`),
    owner.delete(`${PATH}/${subscription.id}`),
    owner.post(`${PATH}/${subscription.id}/lease`, {}),
  ]);
  expect(responses.map(({ status }) => status)).toEqual(Array(responses.length).fill(404));
  for (let made = 1; made < 50; made += 1) await tenant.subscribe("https://hooks.example.com/in");
  expect((await create()).status).toBe(201);
});

test("are not found once they are deleted", async () => {
  const { id } = (await create({ expiresInHours: 1 })).body.data;
  const { status, body } = await tenant.owner().delete(`${PATH}/${id}`);
  expect([status, body.data]).toEqual([200, { id, deleted: true }]);
  expect((await tenant.owner().get(`${PATH}/${id}`)).status).toBe(404);
  expect((await tenant.owner().delete(`${PATH}/${id}`)).status).toBe(404);
});

// Its cost and its end (interface §12).
describe("a lease that waits", () => {
  const waitingCount = async () => (await readMetrics(webhooks.url()))("lease_requests_waiting");

  test("takes no connection to the database, and ends with an empty list when the service stops", async () => {
    const listeners = await Promise.all(Array.from({ length: 10 }, () => listen(webhooks.tenant())));
    const waiting = Array.from({ length: 200 }, (_, index) =>
      listeners[index % 10]?.lease({ waitSeconds: 25 }),
    );
    await until("200 to wait", async () => (await waitingCount()) === 200);
    const rows = await webhooks.query(`select count(*)::int as count from pg_stat_activity
        where datname = current_database() and application_name = 'webhooks.leases'`);
    expect(rows[0]?.count).toBeLessThanOrEqual(4);
    // Other requests are served meanwhile.
    const lease = (await listen(tenant)).lease({ waitSeconds: 25 });
    const eventId = await tenant.emit();
    expect((await lease).map(({ headers }) => headers["X-service-Event-Id"])).toEqual([eventId]);
    await webhooks.restart({});
    expect((await Promise.all(waiting)).flat()).toEqual([]);
  });

  test("leases nothing for a client that has gone", async () => {
    const listener = await listen(tenant);
    const gone = new AbortController();
    const headers = { "content-type": "application/json" };
    const options = { signal: gone.signal, headers, body: '{"waitSeconds":25}' };
    const request = tenant
      .owner()
      .send("POST", `${listener.path}/lease`, options)
      .catch(() => "gone");
    await until("it to wait", async () => (await waitingCount()) === 1);
    gone.abort();
    expect(await request).toBe("gone");
    await until("the service to notice", async () => (await waitingCount()) === 0);
    await tenant.emit();
    await until("the delivery", async () => (await listener.read()).waiting.pending === 1);
  });
});

describe("a delivery of a listener", () => {
  test("is shown like any other, and is neither sent nor stuck while it waits", async () => {
    const listener = await listen(tenant);
    const jobs = await webhooks.captureJobs();
    // The other delivery of the event has been through dispatch.
    const { eventId } = await tenant.deliver("https://127.0.0.1:1/in", "retrying");
    const [delivery] = await tenant.deliveries(listener.id);
    const shown = { id: delivery.id, subscriptionId: listener.id, status: "pending" };
    expect(delivery).toMatchObject({ ...shown, eventId, attemptCount: 0 });
    expect((await tenant.get("events?limit=1"))[0].deliveries).toContainEqual(shown);
    const since = "now() - interval '1 day'";
    await webhooks.set("deliveries", delivery.id, `next_attempt_at = ${since}, created_at = ${since}`);
    const options = { since: new Date(Date.now() - 86_400_000), overdueMs: 60_000, idsMax: 5 };
    expect(await findStuck(webhooks.db, options)).toEqual([]);
    // The sweep and the admission loop have run: another tenant's lost delivery was found.
    const other = webhooks.tenant();
    const { id, deliveryId } = await other.deliver("https://127.0.0.1:1/in", "retrying");
    await webhooks.copyDelivery(deliveryId, 1, { lockedFor: "-1 second" });
    await other.untilAll(id, "retrying", 2);
    expect(jobs().filter((job) => job.delivery_id === delivery.id)).toEqual([]);
    const [leased] = await listener.lease();
    expect(leased).toMatchObject({ deliveryId: delivery.id, attempt: 1 });
  });

  test("does not delay others while leases and results hang", async () => {
    const [listener, stranger] = [await listen(tenant), webhooks.tenant()];
    const subscription = await stranger.subscribe("https://127.0.0.1:1/in");
    const lock = "select from listeners where subscription_id = $1 for update";
    await using locking = await webhooks.begin(lock, listener.id);
    const leases = Array.from({ length: 20 }, () => listener.lease().catch(() => []));
    await webhooks.untilSome(`select from pg_stat_activity where datname = current_database()
      and application_name = 'webhooks.leases' and wait_event_type = 'Lock'`);
    await stranger.emit();
    await tenant.emit();
    await stranger.untilDelivery(subscription.id, "retrying");
    await tenant.untilDeliveries(listener.id, 1);
    await locking.commit();
    await Promise.all(leases);
  });
});
