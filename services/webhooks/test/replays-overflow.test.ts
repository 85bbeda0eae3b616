// Live deliveries do not fail at a bound because of a replay (interface §17, §18).
import { expect, test } from "@jest/globals";
import { until } from "@tradepost/testing";
import { startWithReceiver } from "./support/use-webhooks.ts";

const LIVE = 2;
const REPLAYED = 4;

test("the deliveries of a replay overflow before older ones that wait for a retry", async () => {
  const { webhooks, receiver, stop } = await startWithReceiver(
    { WEBHOOKS_RETRY_SCHEDULE: "1h", WEBHOOKS_WAITING_MAX: String(REPLAYED) },
    { lookAtBoundsEveryMs: 100 },
  );
  try {
    const tenant = webhooks.tenant();
    for (let count = 0; count < REPLAYED; count += 1) await webhooks.emit(tenant.tenantId);
    await until("the events", async () => {
      const { body } = await tenant.owner().get("/v1/webhooks/events");
      return body.data.length === REPLAYED;
    });
    receiver.behave(() => (res) => res.writeHead(503, { "retry-after": "3600" }).end());
    const { id } = await tenant.subscribe(`${receiver.url}/hook`);
    const live: string[] = [];
    for (let count = 0; count < LIVE; count += 1) live.push(await webhooks.emit(tenant.tenantId));
    const waiting = async () =>
      (await tenant.owner().get(`/v1/webhooks/subscriptions/${id}`)).body.data.health.waiting;
    await until("the live ones to wait", async () => (await waiting()) === LIVE);
    await tenant.owner().post(`/v1/webhooks/subscriptions/${id}/replays`, {
      ...{ since: "2020-01-01T00:00:00Z", include: "missing" },
    });
    const failed = await until("what exceeds the bound to fail", async () => {
      const { body } = await tenant.owner().get(`/v1/webhooks/deliveries?subscriptionId=${id}&status=failed`);
      return body.data.length === LIVE && body.data;
    });
    expect(live).not.toContain(failed[0].eventId);
    expect(live).not.toContain(failed[1].eventId);
    expect(await waiting()).toBe(REPLAYED);
  } finally {
    await stop();
  }
});
