// One endpoint's backlog is nobody else's: what waits for an endpoint that hangs waits in Postgres, and the broker and
// the attempts under way hold no more of it than its window.
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { type Receiver, startReceiver, testCertificate, until } from "@tradepost/testing";
import { startTestWebhooks, type TestTenant, type TestWebhooks } from "./support/webhooks.ts";

const BACKLOG = 2_000;
const WINDOW_START = 10;
// What each replica has in hand; what they write at the same moment has no order.
const FANNED_OUT_TOGETHER = 2 * 200;
const DELIVERIES_QUEUE = "webhooks.deliveries";

describe("with an endpoint that hangs and has a backlog, on two replicas", () => {
  let webhooks: TestWebhooks;
  let hanging: Receiver;
  let healthy: Receiver;
  let stuck: TestTenant;
  let stuckId: string;
  let underWay = 0;
  let underWayMax = 0;

  beforeAll(async () => {
    webhooks = await startTestWebhooks({
      WEBHOOKS_TIMEOUT_MS: "3000",
      WEBHOOKS_CONCURRENCY: "20",
      // No attempt that timed out is repeated within the test, however long a busy machine takes for it.
      WEBHOOKS_RETRY_SCHEDULE: "1h",
    });
    await webhooks.startReplica();
    const tls = await testCertificate();
    [hanging, healthy] = await Promise.all([startReceiver(tls), startReceiver(tls)]);
    hanging.behave(() => (res) => {
      underWay += 1;
      underWayMax = Math.max(underWayMax, underWay);
      res.once("close", () => {
        underWay -= 1;
      });
    });
    stuck = webhooks.tenant();
    stuckId = (await stuck.subscribe(`${hanging.url}/hangs`)).id;
    await Promise.all(
      Array.from({ length: BACKLOG }, (_, number) => webhooks.emit(stuck.tenantId, { number })),
    );
    await until("the backlog", async () => (await places()).waiting >= BACKLOG - 4 * WINDOW_START);
  });

  afterAll(async () => {
    await Promise.all([hanging.stop(), healthy.stop()]);
    await webhooks.stop();
  });

  const places = async () => {
    const { rows } = await webhooks.pool.query<{ queue_state: string; count: number }>(
      "select queue_state, count(*)::int from deliveries where subscription_id = $1 group by queue_state",
      [stuckId],
    );
    const counts = Object.fromEntries(rows.map(({ queue_state, count }) => [queue_state, count]));
    return { waiting: counts.waiting ?? 0, queued: counts.queued ?? 0, delayed: counts.delayed ?? 0 };
  };

  test("another tenant's deliveries arrive while it waits, and the broker holds no more than the windows", async () => {
    const other = webhooks.tenant();
    await other.subscribe(`${healthy.url}/ok`);
    for (let round = 0; round < 20; round += 1) {
      await webhooks.emit(other.tenantId, { round });
      await until("the round's delivery", () => healthy.received.length >= round + 1);
      expect(await webhooks.ready(DELIVERIES_QUEUE)).toBeLessThanOrEqual(WINDOW_START);
      expect((await places()).queued).toBeLessThanOrEqual(WINDOW_START);
    }
    expect((await places()).waiting).toBeGreaterThan(BACKLOG / 2);
    expect(underWayMax).toBeLessThanOrEqual(WINDOW_START);
  });

  test("its window shrinks to one, and what waits is let in oldest first", async () => {
    await until("a window of one", async () => {
      const { rows } = await webhooks.pool.query(
        "select window_size from endpoints where subscription_id = $1",
        [stuckId],
      );
      return rows[0]?.window_size === 1;
    });
    await until("the last of the first window", async () => underWay <= 1);
    const { rows } = await webhooks.pool.query<{ id: string }>(
      "select id from all_deliveries where subscription_id = $1 order by created_at, id",
      [stuckId],
    );
    const called = new Set(hanging.received.map(({ headers }) => headers["x-service-delivery"]));
    const oldest = new Set(rows.slice(0, called.size + FANNED_OUT_TOGETHER).map((row) => row.id));
    expect([...called].filter((one) => !oldest.has(String(one)))).toEqual([]);
  });

  test("it gets all of its backlog, once each, when it is back", async () => {
    hanging.behave(() => 200);
    await until("the backlog to be delivered", async () => {
      const { rows } = await webhooks.pool.query<{ status: string; count: number }>(
        "select status, count(*)::int from all_deliveries where subscription_id = $1 group by status",
        [stuckId],
      );
      // What timed out before waits for its retry of an hour.
      const counts = Object.fromEntries(rows.map(({ status, count }) => [status, count]));
      return (counts.delivered ?? 0) + (counts.retrying ?? 0) === BACKLOG && (counts.delivered ?? 0);
    });
    const { waiting, queued } = await places();
    expect([waiting, queued]).toEqual([0, 0]);
    const delivered = hanging.received.map(({ headers }) => headers["x-service-delivery"]);
    const twice = [...Map.groupBy(delivered, String).values()].filter((same) => same.length > 1);
    expect(twice).toEqual([]);
  });
});
