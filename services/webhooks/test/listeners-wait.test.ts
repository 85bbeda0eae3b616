// Leases that wait (interface §12): what they cost, and how they end.
import { readMetrics, until } from "@tradepost/testing";
import { findStuck } from "../src/operate.ts";
import { listen, type TestListener } from "./support/listen.ts";
import { useWebhooks } from "./support/use-webhooks.ts";

const { webhooks, tenant } = useWebhooks({ WEBHOOKS_RETRY_SCHEDULE: "1h", WEBHOOKS_SWEEP_GRACE_MS: "100" });
let listener: TestListener;
beforeEach(async () => {
  listener = await listen(tenant);
});

describe("a lease that waits", () => {
  const waitingCount = async () => (await readMetrics(webhooks.url()))("lease_requests_waiting");

  test("takes no connection to the database", async () => {
    const listeners = await Promise.all(Array.from({ length: 10 }, () => listen(webhooks.tenant())));
    const waiting = Array.from({ length: 200 }, (_, index) =>
      listeners[index % 10]?.lease({ waitSeconds: 25 }),
    );
    await until("200 to wait", async () => (await waitingCount()) === 200);
    const rows = await webhooks.query(`select count(*)::int as count from pg_stat_activity
        where datname = current_database() and application_name = 'webhooks.leases'`);
    expect(rows[0]?.count).toBeLessThanOrEqual(4);
    // Other requests are served meanwhile.
    const lease = listener.lease({ waitSeconds: 25 });
    const eventId = await tenant.emit();
    expect((await lease).map(({ headers }) => headers["X-service-Event-Id"])).toEqual([eventId]);
    await webhooks.restart({});
    expect((await Promise.all(waiting)).flat()).toEqual([]);
  });

  test("leases nothing for a client that has gone", async () => {
    const gone = new AbortController();
    const request = tenant
      .owner()
      .send("POST", `${listener.path}/lease`, {
        ...{ signal: gone.signal, body: '{"waitSeconds":25}' },
        headers: { "content-type": "application/json" },
      })
      .catch(() => "gone");
    await until("it to wait", async () => (await waitingCount()) === 1);
    gone.abort();
    expect(await request).toBe("gone");
    await until("the service to notice", async () => (await waitingCount()) === 0);
    await tenant.emit();
    await until("the delivery", async () => (await listener.read()).waiting.pending === 1);
  });

  test("ends when the service stops, with an empty list", async () => {
    const waiting = listener.lease({ waitSeconds: 25 });
    await until("it to wait", async () => (await waitingCount()) === 1);
    await webhooks.restart({});
    expect(await waiting).toEqual([]);
  });
});

describe("a delivery of a listener", () => {
  test("is shown like any other, and is neither sent nor stuck while it waits", async () => {
    const jobs = await webhooks.captureJobs();
    // The other delivery of the event has been through dispatch.
    const { eventId } = await tenant.deliver("https://127.0.0.1:1/in", "retrying");
    const [delivery] = await tenant.deliveries(listener.id);
    const shown = { id: delivery.id, subscriptionId: listener.id, status: "pending" };
    expect(delivery).toMatchObject({ ...shown, eventId, attemptCount: 0 });
    expect((await tenant.get("events?limit=1"))[0].deliveries).toContainEqual(shown);
    const yesterday = "now() - interval '1 day'";
    await webhooks.set(
      "deliveries",
      delivery.id,
      `next_attempt_at = ${yesterday}, created_at = ${yesterday}`,
    );
    const options = { since: new Date(Date.now() - 86_400_000), overdueMs: 60_000, idsMax: 5 };
    expect(await findStuck(webhooks.db, options)).toEqual([]);
    // The sweep and the admission loop have run: another tenant's lost delivery was found.
    const other = webhooks.tenant();
    const { id, deliveryId } = await other.deliver("https://127.0.0.1:1/in", "retrying");
    await webhooks.copyDelivery(deliveryId, 1, { lockedFor: "-1 second" });
    await other.untilAll(id, "retrying", 2);
    expect(jobs.filter((job) => job.delivery_id === delivery.id)).toEqual([]);
    const [leased] = await listener.lease();
    expect(leased).toMatchObject({ deliveryId: delivery.id, attempt: 1 });
  });

  test("does not delay others while leases and results hang", async () => {
    const stranger = webhooks.tenant();
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
