// A slow receiver with a backlog gets a request for every attempt that is counted.
import { describe, expect, test } from "@jest/globals";
import { sleep } from "@tradepost/runtime";
import { until } from "@tradepost/testing";
import { useWebhooks } from "./support/use-webhooks.ts";

const DELIVERIES = 50;

describe("a slow receiver with a backlog", () => {
  const { webhooks, receiver } = useWebhooks({ WEBHOOKS_RETRY_SCHEDULE: "1h", WEBHOOKS_TIMEOUT_MS: "2000" });

  test("gets a request for every attempt that is counted", async () => {
    const tenant = webhooks.tenant();
    receiver.behave(() => (res) => void sleep(1_200).then(() => res.writeHead(200).end()));
    const { id } = await tenant.subscribe(`${receiver.url}/slow`);
    await Promise.all(
      Array.from({ length: DELIVERIES }, (_, number) => webhooks.emit(tenant.tenantId, { number })),
    );
    await until("the end of each first attempt", async () => {
      const deliveries = (await tenant.deliveries(id)) as { attemptCount: number }[];
      return deliveries.length === DELIVERIES && deliveries.every(({ attemptCount }) => attemptCount === 1);
    });
    const requested = new Set(receiver.received.map(({ headers }) => headers["x-service-delivery"]));
    const deliveries = (await tenant.deliveries(id)) as { id: string }[];
    expect(deliveries.filter((delivery) => !requested.has(delivery.id)).length).toBe(0);
  });
});
