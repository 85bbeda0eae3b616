// A recovery in several batches, with one attempt at a time, sends the delivery that failed first before the others.
import { expect, test } from "@jest/globals";
import { until } from "@tradepost/testing";
import { failDeliveries } from "./support/failed-deliveries.ts";
import { useWebhooks } from "./support/use-webhooks.ts";

const COUNT = 620;

const { webhooks, receiver, tenant } = useWebhooks({
  WEBHOOKS_RETRY_SCHEDULE: "20ms",
  WEBHOOKS_CONCURRENCY: "1",
});

test("a recovery sends the oldest delivery first, batch after batch", async () => {
  const { id, deliveryIds } = await failDeliveries({ webhooks, receiver, tenant }, COUNT);
  const { body } = await tenant.act(id, "recover", { since: "2020-01-01T00:00:00Z" });
  expect(body.data).toMatchObject({ matched: COUNT, requeued: COUNT });
  await until("all of them", () => receiver.received.length === COUNT);
  const sent = receiver.sent("x-service-delivery");
  // The original was created first and failed last. Deliveries of a batch are admitted in the order of their creation.
  expect(sent.slice(0, 500)).toEqual(deliveryIds.slice(0, 500));
  expect(sent.slice(500).sort()).toEqual(deliveryIds.slice(500).sort());
});
