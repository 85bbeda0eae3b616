// Recoveries of more deliveries than fit in one batch: each is sent again once, and the delivery that failed first before the others.
import { until } from "@tradepost/testing";
import { deadLetters } from "../src/operate.ts";
import { failDeliveries } from "./support/failed-deliveries.ts";
import { useWebhooks } from "./support/use-webhooks.ts";

const { webhooks, receiver, tenant } = useWebhooks({ WEBHOOKS_RETRY_SCHEDULE: "20ms" });

const recover = async (subscriptionId: string) =>
  await tenant.act(subscriptionId, "recover", { since: "2020-01-01T00:00:00Z" });

test("sends each once and counts exactly, also if it is requested twice at the same time", async () => {
  const COUNT = 1_210;
  const replica = await webhooks.startReplica();
  const { id, deliveryIds } = await failDeliveries({ webhooks, receiver, tenant }, COUNT);
  const countOf = async (status: string) => {
    const text = "select count(*)::int from all_deliveries where subscription_id = $1 and status = $2";
    return (await webhooks.query(text, id, status))[0].count;
  };
  const requeuedBy = async (recoveryId: string) => {
    const rows = await webhooks.query("select * from replays where id = $1", recoveryId);
    return rows[0].finished_at !== null && (rows[0].requeued as number);
  };
  await tenant.setActive(id, false);
  const responses = await Promise.all([recover(id), recover(id)]);
  expect(responses.map(({ status }) => status)).toEqual([202, 202]);
  const counts = await Promise.all(
    responses.map(({ body }) => until("its end", () => requeuedBy(body.data.id))),
  );
  expect(counts.reduce((sum, count) => sum + count, 0)).toBe(COUNT);
  expect(await countOf("paused")).toBe(COUNT);
  expect(await deadLetters.list(webhooks.db, { subscription: id })).toEqual([]);
  expect((await recover(id)).body.data).toMatchObject({ matched: 0, requeued: 0 });
  await tenant.setActive(id, true);
  await until("all to be delivered", async () => (await countOf("delivered")) === COUNT);
  expect([...new Set(receiver.sent("x-service-delivery"))].sort()).toEqual([...deliveryIds].sort());
  // Not requests: an attempt sends a second one if the receiver closes the idle connection at that moment.
  const attempts = `select count(*)::int, count(distinct delivery_id)::int as deliveries from attempts
    where subscription_id = $1 and outcome = 'delivered'`;
  expect(await webhooks.query(attempts, id)).toEqual([{ count: COUNT, deliveries: COUNT }]);
  await replica.stop();
});

test("with one attempt at a time sends the oldest delivery first, batch after batch", async () => {
  const COUNT = 620;
  await webhooks.restart({ WEBHOOKS_CONCURRENCY: "1" });
  const { id, deliveryIds } = await failDeliveries({ webhooks, receiver, tenant }, COUNT);
  expect((await recover(id)).body.data).toMatchObject({ matched: COUNT, requeued: COUNT });
  await until("all of them", () => receiver.received.length === COUNT);
  const sent = receiver.sent("x-service-delivery");
  // The original was created first and failed last. Deliveries of a batch are admitted in the order of their creation.
  expect(sent.slice(0, 500)).toEqual(deliveryIds.slice(0, 500));
  expect(sent.slice(500).sort()).toEqual(deliveryIds.slice(500).sort());
});
