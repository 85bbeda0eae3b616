// A delivery shows its latest attempt as it was sent: the body byte for byte, the headers without the signatures, and the URL that the
// subscription had then.
import { randomUUID } from "node:crypto";
import { describe, expect, test } from "@jest/globals";
import { type Received, until } from "@tradepost/testing";
import { applyRetention } from "../src/log/retention.ts";
import { useWebhooks } from "./support/use-webhooks.ts";

const SIGNATURES = ["x-service-signature", "x-service-signature-previous", "webhook-signature"];
// Of the connection, not of the request.
const HOP_BY_HOP = "connection";

interface Shown {
  readonly url: string;
  readonly headers: Record<string, string>;
  readonly body: string;
}

describe("the request of a delivery", () => {
  const { webhooks, receiver, tenant } = useWebhooks({ WEBHOOKS_RETRY_SCHEDULE: "20ms,1h" });

  const path = (id: string) => `/v1/webhooks/subscriptions/${id}`;
  const redeliver = (id: string) => tenant.owner().post(`/v1/webhooks/deliveries/${id}/redeliver`);
  const untilReceived = (count: number) =>
    until(`${count} requests`, () => receiver.received.length === count && receiver.received.at(-1));
  const untilRounds = (deliveryId: string, rounds: number[]) =>
    until(`attempts in the rounds ${rounds}`, async () => {
      const delivery = await tenant.delivery(deliveryId);
      const found = delivery.attempts.map(({ round }: { round: number }) => round);
      return found.join() === rounds.join() && delivery;
    });

  const expectSame = (shown: Shown, received: Received | undefined) => {
    const { headers = {}, body, path: target } = received ?? {};
    expect(Buffer.from(shown.body)).toEqual(body);
    expect(shown.url).toBe(receiver.url + target);
    const sent = Object.entries(headers).filter(
      ([name]) => !SIGNATURES.includes(name) && name !== HOP_BY_HOP,
    );
    const lowered = Object.entries(shown.headers).map(([name, value]) => [name.toLowerCase(), value]);
    expect(Object.fromEntries(lowered)).toEqual(Object.fromEntries(sent));
  };

  test("is null before the first attempt", async () => {
    receiver.behave(() => "hang");
    const { id } = await tenant.subscribe(`${receiver.url}/hook`);
    await webhooks.emit(tenant.tenantId);
    expect(await tenant.untilDelivery(id, "pending")).toMatchObject({ attempts: [], request: null });
  });

  test("is the latest attempt's, byte for byte, without its signatures", async () => {
    receiver.behave(({ headers }) => (headers["x-service-attempt"] === "1" ? 500 : 200));
    const { id } = await tenant.subscribe(`${receiver.url}/hook?a=%20b&c`);
    await tenant.owner().post(`${path(id)}/rotate-secret`);
    const data =
      '{"redirect":{"price":19.990000000000000000001,"id":12345678901234567890,"b":"\\u0000é😀\\ud83d","a":null}}';
    const event = {
      ...{ id: randomUUID(), type: "redirect.added", tenant_id: tenant.tenantId, request_id: "r" },
      // A digit more than is stored.
      occurred_at: "2026-08-20T09:30:00.1239Z",
      actor: { type: "user", id: "u-1", name: "Ada" },
    };
    const text = JSON.stringify({ ...event, data: {} }).replace('"data":{}', `"data":${data}`);
    await webhooks.publish("platform.events", "redirect.added", text);
    const { request, attempts } = await tenant.untilDelivery(id, "delivered");
    const [first, second] = receiver.received;
    expect(attempts).toMatchObject([
      { round: 1, attempt: 1 },
      { round: 1, attempt: 2 },
    ]);
    expectSame(request, second);
    expect(request.headers).toMatchObject({ "X-service-Attempt": "2" });
    expect(first?.headers["x-service-event-time"]).toBe("2026-08-20T09:30:00.123Z");
    expect(second?.headers["x-service-event-time"]).toBe("2026-08-20T09:30:00.123Z");
    expect(second?.headers).toHaveProperty("x-service-signature-previous");
    expect(JSON.stringify(request)).not.toContain(String(second?.headers["x-service-signature"]));
  });

  test("is the request of the latest round, to the URL that the subscription had", async () => {
    const { id } = await tenant.subscribe(`${receiver.url}/one`);
    await webhooks.emit(tenant.tenantId);
    const { id: deliveryId, request } = await tenant.untilDelivery(id, "delivered");
    expectSame(request, await untilReceived(1));
    await tenant.owner().patch(path(id), { name: "Other", url: `${receiver.url}/two` });
    await tenant.owner().patch(path(id), { url: `${receiver.url}/three` });
    expect((await tenant.delivery(deliveryId)).request).toEqual(request);
    await redeliver(deliveryId);
    const second = (await untilRounds(deliveryId, [1, 2])).request;
    expectSame(second, await untilReceived(2));
    expect(second.url).toBe(`${receiver.url}/three`);
    await tenant.owner().patch(path(id), { url: `${receiver.url}/four` });
    await tenant.owner().patch(path(id), { active: false });
    await redeliver(deliveryId);
    // Still the request of round 2.
    expect(await tenant.delivery(deliveryId)).toMatchObject({ status: "paused", request: second });
    await tenant.owner().patch(path(id), { active: true });
    const third = (await untilRounds(deliveryId, [1, 2, 3])).request;
    expectSame(third, await untilReceived(3));
    await tenant.unsubscribe(id);
    expect((await tenant.delivery(deliveryId)).request).toEqual(third);
  });

  test("is shown after failed attempts, to viewers and API keys of the tenant only", async () => {
    receiver.behave(() => 500);
    const { id } = await tenant.subscribe(`${receiver.url}/hook`);
    await webhooks.emit(tenant.tenantId);
    const { id: deliveryId } = await tenant.untilDelivery(id, "retrying");
    await untilRounds(deliveryId, [1, 1]);
    const found = await webhooks
      .as({ tenantId: tenant.tenantId, role: "viewer" })
      .get(`/v1/webhooks/deliveries/${deliveryId}`);
    expectSame(found.body.data.request, receiver.received[1]);
    expect((await webhooks.tenant().owner().get(`/v1/webhooks/deliveries/${deliveryId}`)).status).toBe(404);
  });

  test("needs former URLs for as long as the log has attempts, and no longer", async () => {
    const { id } = await tenant.subscribe(`${receiver.url}/one`);
    await tenant.owner().patch(path(id), { url: `${receiver.url}/two` });
    await tenant.owner().patch(path(id), { name: "Not a new URL" });
    const count = async () => {
      const rows = await webhooks.query("select from former_targets where subscription_id = $1", id);
      return rows.length;
    };
    const age = (days: number) =>
      webhooks.query(
        "update former_targets set replaced_at = now() - $2 * interval '1 day' where subscription_id = $1",
        id,
        days,
      );
    expect(await count()).toBe(1);
    await age(32);
    await applyRetention(webhooks.pool, 30);
    expect(await count()).toBe(1);
    await age(34);
    await applyRetention(webhooks.pool, 30);
    expect(await count()).toBe(0);
  });
});
