// A delivery shows its latest attempt as it was sent: the body byte for byte, the headers without the signatures, and the URL that the
// subscription had then.
import { type Received, until } from "@tradepost/testing";
import { applyRetention } from "../src/log/retention.ts";
import { useWebhooks } from "./support/use-webhooks.ts";
import { eventOf, type Json } from "./support/webhooks.ts";

const SIGNATURES = ["x-service-signature", "x-service-signature-previous", "webhook-signature"];
// Of the connection, not of the request.
const HOP_BY_HOP = "connection";

const { webhooks, receiver, tenant } = useWebhooks({ WEBHOOKS_RETRY_SCHEDULE: "20ms,1h" });

const untilReceived = (count: number) =>
  until(`${count} requests`, () => receiver.received.length === count && receiver.received.at(-1));
const expectSame = (shown: Json, received: Received | undefined) => {
  const { headers = {}, body, path: target } = received ?? {};
  expect(Buffer.from(shown.body)).toEqual(body);
  expect(shown.url).toBe(receiver.url + target);
  const sent = Object.entries(headers).filter(([name]) => !SIGNATURES.includes(name) && name !== HOP_BY_HOP);
  const lowered = Object.entries(shown.headers).map(([name, value]) => [name.toLowerCase(), value]);
  expect(Object.fromEntries(lowered)).toEqual(Object.fromEntries(sent));
};

test("is null before the first attempt", async () => {
  receiver.behave(() => "hang");
  const { delivery } = await tenant.deliver("/hook", "pending");
  expect(delivery).toMatchObject({ attempts: [], request: null });
});

test("is the latest attempt's, byte for byte, without its signatures", async () => {
  receiver.behave(({ headers }) => (headers["x-service-attempt"] === "1" ? 500 : 200));
  const { id } = await tenant.subscribe("/hook?a=%20b&c");
  await tenant.act(id, "rotate-secret");
  const data =
    '{"redirect":{"price":19.990000000000000000001,"id":12345678901234567890,"b":"\\u0000é😀\\ud83d","a":null}}';
  // A digit more than is stored.
  const event = eventOf(tenant.tenantId, {}, { occurred_at: "2026-08-20T09:30:00.1239Z", data: {} });
  const text = JSON.stringify(event).replace('"data":{}', `"data":${data}`);
  await webhooks.publish("platform.events", "redirect.added", text);
  const { request, attempts } = await tenant.untilDelivery(id, "delivered");
  const [, second] = receiver.received;
  expect(attempts).toMatchObject([1, 2].map((attempt) => ({ round: 1, attempt })));
  expectSame(request, second);
  expect(request.headers).toMatchObject({ "X-service-Attempt": "2" });
  expect(receiver.sent("x-service-event-time")).toEqual(Array(2).fill("2026-08-20T09:30:00.123Z"));
  expect(second?.headers).toHaveProperty("x-service-signature-previous");
  expect(JSON.stringify(request)).not.toContain(String(second?.headers["x-service-signature"]));
});

test("is the request of the latest round, to the URL that the subscription had", async () => {
  const { id, deliveryId, delivery } = await tenant.deliver("/one");
  const { request } = delivery;
  expectSame(request, await untilReceived(1));
  await tenant.change(id, { name: "Other", url: `${receiver.url}/two` });
  await tenant.change(id, { url: `${receiver.url}/three` });
  expect((await tenant.delivery(deliveryId)).request).toEqual(request);
  await tenant.redeliver(deliveryId);
  const second = (await tenant.untilAttempts(deliveryId, 2)).request;
  expectSame(second, await untilReceived(2));
  expect(second.url).toBe(`${receiver.url}/three`);
  await tenant.change(id, { url: `${receiver.url}/four` });
  await tenant.change(id, { active: false });
  await tenant.redeliver(deliveryId);
  // Still the request of round 2.
  expect(await tenant.delivery(deliveryId)).toMatchObject({ status: "paused", request: second });
  await tenant.change(id, { active: true });
  const { request: third, attempts } = await tenant.untilAttempts(deliveryId, 3);
  expect(attempts).toMatchObject([1, 2, 3].map((round) => ({ round })));
  expectSame(third, await untilReceived(3));
  await tenant.unsubscribe(id);
  expect((await tenant.delivery(deliveryId)).request).toEqual(third);
});

test("is shown after failed attempts, to viewers and API keys of the tenant only", async () => {
  receiver.behave(() => 500);
  const { deliveryId } = await tenant.deliver("/hook", "retrying");
  await tenant.untilAttempts(deliveryId, 2);
  const path = `/v1/webhooks/deliveries/${deliveryId}`;
  const found = await webhooks.as({ tenantId: tenant.tenantId, role: "viewer" }).get(path);
  expectSame(found.body.data.request, receiver.received[1]);
  expect((await webhooks.tenant().owner().get(path)).status).toBe(404);
});

test("needs former URLs for as long as the log has attempts, and no longer", async () => {
  const { id } = await tenant.subscribe("/one");
  await tenant.change(id, { url: `${receiver.url}/two` });
  await tenant.change(id, { name: "Not a new URL" });
  const AGE =
    "update former_targets set replaced_at = now() - $2 * interval '1 day' where subscription_id = $1";
  for (const [days, kept] of [
    [0, 1],
    [32, 1],
    [34, 0],
  ]) {
    await webhooks.query(AGE, id, days);
    await applyRetention(webhooks.pool, 30);
    const rows = await webhooks.query("select from former_targets where subscription_id = $1", id);
    expect([days, rows.length]).toEqual([days, kept]);
  }
});
