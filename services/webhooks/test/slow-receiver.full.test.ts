import { sleep } from "@tradepost/runtime";
import { until } from "@tradepost/testing";
import { useWebhooks } from "./support/use-webhooks.ts";

const DELIVERIES = 50;

const { receiver, tenant } = useWebhooks({ WEBHOOKS_RETRY_SCHEDULE: "1h", WEBHOOKS_TIMEOUT_MS: "2000" });

test("a slow receiver with a backlog gets a request for every attempt that is counted", async () => {
  receiver.behave(() => (res) => void sleep(1_200).then(() => res.writeHead(200).end()));
  const { id } = await tenant.subscribe("/slow");
  await tenant.emitMany(DELIVERIES);
  const deliveries = await until("the end of each first attempt", async () => {
    const found = await tenant.deliveries(id);
    return found.length === DELIVERIES && found.every(({ attemptCount }) => attemptCount === 1) && found;
  });
  const requested = new Set(receiver.sent("x-service-delivery"));
  expect(deliveries.filter((delivery) => !requested.has(delivery.id))).toEqual([]);
});
