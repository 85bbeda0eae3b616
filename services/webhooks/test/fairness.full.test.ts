// The backlog of one endpoint does not delay others: the deliveries of an endpoint that hangs wait in Postgres, and no more
// of them than its window are queued or in progress.
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { type Receiver, startReceiver, testCertificate, until } from "@tradepost/testing";
import { startTestWebhooks, type TestTenant, type TestWebhooks } from "./support/webhooks.ts";

const BACKLOG = 2_000;
const WINDOW_START = 10;
// Deliveries that the two replicas fan out at the same time, up to 200 each, have no order.
const FANNED_OUT_TOGETHER = 2 * 200;
const DELIVERIES_QUEUE = "webhooks.deliveries";

describe("an endpoint that hangs and has a backlog, on two replicas", () => {
  let webhooks: TestWebhooks;
  let hanging: Receiver;
  let healthy: Receiver;
  let hangingTenant: TestTenant;
  let hangingId: string;
  let inProgress = 0;
  let inProgressMax = 0;

  beforeAll(async () => {
    webhooks = await startTestWebhooks({
      WEBHOOKS_TIMEOUT_MS: "3000",
      WEBHOOKS_CONCURRENCY: "20",
      // So long that no timed-out attempt is repeated within the test, even on a busy machine.
      WEBHOOKS_RETRY_SCHEDULE: "1h",
    });
    await webhooks.startReplica();
    const tls = await testCertificate();
    [hanging, healthy] = await Promise.all([startReceiver(tls), startReceiver(tls)]);
    hanging.behave(() => (res) => {
      inProgress += 1;
      inProgressMax = Math.max(inProgressMax, inProgress);
      res.once("close", () => {
        inProgress -= 1;
      });
    });
    hangingTenant = webhooks.tenant();
    hangingId = (await hangingTenant.subscribe(`${hanging.url}/hangs`)).id;
    await Promise.all(
      Array.from({ length: BACKLOG }, (_, number) => webhooks.emit(hangingTenant.tenantId, { number })),
    );
    await until("the backlog", async () => (await queueStates()).waiting >= BACKLOG - 4 * WINDOW_START);
  });

  afterAll(async () => {
    await Promise.all([hanging.stop(), healthy.stop()]);
    await webhooks.stop();
  });

  const queueStates = async () => {
    const { rows } = await webhooks.pool.query<{ queue_state: string; count: number }>(
      "select queue_state, count(*)::int from deliveries where subscription_id = $1 group by queue_state",
      [hangingId],
    );
    const counts = Object.fromEntries(rows.map(({ queue_state, count }) => [queue_state, count]));
    return { waiting: counts.waiting ?? 0, queued: counts.queued ?? 0, delayed: counts.delayed ?? 0 };
  };

  test("does not delay another tenant, and has no more deliveries queued than its window", async () => {
    const other = webhooks.tenant();
    await other.subscribe(`${healthy.url}/ok`);
    for (let round = 0; round < 20; round += 1) {
      await webhooks.emit(other.tenantId, { round });
      await until("the round's delivery", () => healthy.received.length >= round + 1);
      expect(await webhooks.ready(DELIVERIES_QUEUE)).toBeLessThanOrEqual(WINDOW_START);
      expect((await queueStates()).queued).toBeLessThanOrEqual(WINDOW_START);
    }
    expect((await queueStates()).waiting).toBeGreaterThan(BACKLOG / 2);
    expect(inProgressMax).toBeLessThanOrEqual(WINDOW_START);
  });

  test("has its window reduced to 1 and its oldest delivery admitted first", async () => {
    await until("a window of one", async () => {
      const { rows } = await webhooks.pool.query(
        "select window_size from endpoints where subscription_id = $1",
        [hangingId],
      );
      return rows[0]?.window_size === 1;
    });
    await until("the last of the first window", async () => inProgress <= 1);
    const { rows } = await webhooks.pool.query<{ id: string }>(
      "select id from all_deliveries where subscription_id = $1 order by created_at, id",
      [hangingId],
    );
    const requested = new Set(hanging.received.map(({ headers }) => headers["x-service-delivery"]));
    const oldest = new Set(rows.slice(0, requested.size + FANNED_OUT_TOGETHER).map((row) => row.id));
    expect([...requested].filter((one) => !oldest.has(String(one)))).toEqual([]);
  });

  test("gets each delivery of its backlog once when it responds again", async () => {
    hanging.behave(() => 200);
    await until("the backlog to be delivered", async () => {
      const { rows } = await webhooks.pool.query<{ status: string; count: number }>(
        "select status, count(*)::int from all_deliveries where subscription_id = $1 group by status",
        [hangingId],
      );
      // Deliveries that timed out wait an hour for their retry.
      const counts = Object.fromEntries(rows.map(({ status, count }) => [status, count]));
      return (counts.delivered ?? 0) + (counts.retrying ?? 0) === BACKLOG && (counts.delivered ?? 0);
    });
    const { waiting, queued } = await queueStates();
    expect([waiting, queued]).toEqual([0, 0]);
    const delivered = hanging.received.map(({ headers }) => headers["x-service-delivery"]);
    const twice = [...Map.groupBy(delivered, String).values()].filter((same) => same.length > 1);
    expect(twice).toEqual([]);
  });
});
