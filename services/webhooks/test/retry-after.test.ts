// An endpoint is held as its Retry-After asks, for two hours at most (interface §17).
import { expect, test } from "@jest/globals";
import { until } from "@tradepost/testing";
import { useWebhooks } from "./support/use-webhooks.ts";

const { webhooks, receiver, tenant } = useWebhooks({ WEBHOOKS_RETRY_SCHEDULE: "1h" });

test.each([
  [503, "120", 120],
  [429, "7201", 7_200],
  [503, "soon", null],
  [500, "120", null],
])("a %i with Retry-After: %s", async (status, retryAfter, seconds) => {
  receiver.behave(() => (res) => res.setHeader("retry-after", retryAfter).writeHead(status).end());
  const { id } = await tenant.subscribe(`${receiver.url}/busy`);
  await webhooks.emit(tenant.tenantId);
  const { health } = await until("the failure", async () => {
    const { data } = (await tenant.owner().get(`/v1/webhooks/subscriptions/${id}`)).body;
    return data.health.consecutiveFailures === 1 && data;
  });
  const { heldUntil, lastFailureAt } = health;
  const held = heldUntil && Math.round((Date.parse(heldUntil) - Date.parse(lastFailureAt)) / 1_000);
  expect(held).toBe(seconds);
});
