// Recoveries of more deliveries than fit in one batch: each is sent again once, and the delivery that failed first before the others.
import { until } from "@tradepost/testing";
import { deadLetters } from "../src/operate.ts";
import { failDeliveries } from "./support/failed-deliveries.ts";
import { useWebhooks } from "./support/use-webhooks.ts";

const LONG_AGO = "2020-01-01T00:00:00Z";

describe("a recovery of many deliveries", () => {
  const { webhooks, receiver, tenant } = useWebhooks({ WEBHOOKS_RETRY_SCHEDULE: "20ms" });

  beforeAll(async () => {
    await webhooks.startReplica();
  });

  const recover = async (subscriptionId: string) =>
    await tenant.act(subscriptionId, "recover", { since: LONG_AGO });

  /**
   * Counts attempts in the log, not requests: a request whose idle connection the receiver closed at that moment is sent again
   * within its attempt.
   */
  const expectSentOnce = async (subscriptionId: string, deliveryIds: readonly string[]) => {
    expect([...new Set(receiver.sent("x-service-delivery"))].sort()).toEqual([...deliveryIds].sort());
    const counts = `select count(*)::int, count(distinct delivery_id)::int as deliveries from attempts
      where subscription_id = $1 and outcome = 'delivered'`;
    expect(await webhooks.query(counts, subscriptionId)).toEqual([
      { count: deliveryIds.length, deliveries: deliveryIds.length },
    ]);
  };

  const COUNT = "select count(*)::int from all_deliveries where subscription_id = $1 and status = $2";
  const countOf = async (subscriptionId: string, status: string) =>
    (await webhooks.query(COUNT, subscriptionId, status))[0].count;
  const untilDelivered = (subscriptionId: string, count: number) =>
    until(`${count} delivered`, async () => (await countOf(subscriptionId, "delivered")) === count);
  const requeuedBy = async (recoveryId: string) => {
    const rows = await webhooks.query("select * from replays where id = $1", recoveryId);
    return rows[0].finished_at !== null && (rows[0].requeued as number);
  };

  test("sends each once and counts exactly, also if it is requested twice at the same time", async () => {
    const { id, deliveryIds } = await failDeliveries({ webhooks, receiver, tenant }, 1_210);
    await tenant.setActive(id, false);
    const responses = await Promise.all([recover(id), recover(id)]);
    expect(responses.map(({ status }) => status)).toEqual([202, 202]);
    const counts = await Promise.all(
      responses.map(({ body }) => until("its end", () => requeuedBy(body.data.id))),
    );
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(1_210);
    expect(await countOf(id, "paused")).toBe(1_210);
    expect(await deadLetters.list(webhooks.db, { subscription: id })).toEqual([]);
    expect((await recover(id)).body.data).toMatchObject({ matched: 0, requeued: 0 });
    await tenant.setActive(id, true);
    await untilDelivered(id, 1_210);
    await expectSentOnce(id, deliveryIds);
  });
});

describe("a recovery with one attempt at a time", () => {
  const COUNT = 620;
  const { webhooks, receiver, tenant } = useWebhooks({
    WEBHOOKS_RETRY_SCHEDULE: "20ms",
    WEBHOOKS_CONCURRENCY: "1",
  });

  test("sends the oldest delivery first, batch after batch", async () => {
    const { id, deliveryIds } = await failDeliveries({ webhooks, receiver, tenant }, COUNT);
    const { body } = await tenant.act(id, "recover", { since: LONG_AGO });
    expect(body.data).toMatchObject({ matched: COUNT, requeued: COUNT });
    await until("all of them", () => receiver.received.length === COUNT);
    const sent = receiver.sent("x-service-delivery");
    // The original was created first and failed last. Deliveries of a batch are admitted in the order of their creation.
    expect(sent.slice(0, 500)).toEqual(deliveryIds.slice(0, 500));
    expect(sent.slice(500).sort()).toEqual(deliveryIds.slice(500).sort());
  });
});
