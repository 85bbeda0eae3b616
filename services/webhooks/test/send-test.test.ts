// Sends an example event to test a receiver: of any subscribable type, to this subscription only, signed and dispatched
// like every delivery.
import { randomUUID } from "node:crypto";
import { eventData, subscribableTypes } from "@tradepost/event-catalog";
import { Webhook } from "standardwebhooks";
import { useWebhooks } from "./support/use-webhooks.ts";
import { faultsOf, isSigned } from "./support/webhooks.ts";

const { receiver, tenant } = useWebhooks({});

const subscribe = (events: readonly string[]) => tenant.subscribe(`/${randomUUID()}`, [...events]);
const sendTest = (subscriptionId: string, body?: object) => tenant.act(subscriptionId, "test", body);
const arrival = (deliveryId: string) =>
  receiver.waitFor("the test", ({ headers }) => headers["x-service-delivery"] === deliveryId);

test("has the first type of the subscription, and the response is its delivery", async () => {
  const { id } = await subscribe(["media.processed", "redirect.added"]);
  const { status, body } = await sendTest(id);
  expect([status, body.data]).toEqual([
    202,
    {
      id: expect.any(String),
      subscriptionId: id,
      eventId: expect.any(String),
      type: "media.processed",
      status: "pending",
      attemptCount: 0,
      createdAt: expect.any(String),
      nextAttemptAt: expect.any(String),
      completedAt: null,
    },
  ]);
  expect(await tenant.untilDelivery(id, "delivered")).toMatchObject({
    id: body.data.id,
    attemptCount: 1,
    attempts: [{ attempt: 1, outcome: "delivered" }],
  });
});

test.each(subscribableTypes)(
  "of %s has the example of the catalog, marked as a test, and is signed",
  async (type) => {
    const { id, signingSecret } = await subscribe(["redirect.added"]);
    const { body: response } = await sendTest(id, { type });
    const request = await arrival(response.data.id);
    const { headers, body } = request;
    expect(JSON.parse(body.toString())).toEqual({
      id: response.data.id,
      type,
      tenant_id: tenant.tenantId,
      data: { ...eventData[type]?.example, test: true },
      delivered_at: expect.any(String),
    });
    expect(headers).toMatchObject({ "x-service-event": type, "x-service-attempt": "1" });
    expect(isSigned(request, signingSecret)).toBe(true);
    new Webhook(signingSecret).verify(body, headers as Record<string, string>);
  },
);

test("is sent to its subscription only, although others subscribe to the type", async () => {
  const { id } = await subscribe(["redirect.added"]);
  const other = await subscribe(["redirect.added"]);
  await sendTest(id);
  await tenant.untilDelivery(id, "delivered");
  // The other subscription gets only this event.
  const eventId = await tenant.emit();
  await tenant.untilDelivery(other.id, "delivered");
  expect(await tenant.deliveries(other.id)).toMatchObject([{ eventId }]);
  expect(await tenant.deliveries(id)).toHaveLength(2);
});

test("of a paused subscription is paused, and is sent when it is active again", async () => {
  const { id } = await subscribe(["redirect.added"]);
  await tenant.setActive(id, false);
  const { status, body } = await sendTest(id);
  expect([status, body.data]).toMatchObject([202, { status: "paused", nextAttemptAt: null }]);
  expect(receiver.received).toEqual([]);
  await tenant.setActive(id, true);
  await arrival(body.data.id);
  await tenant.untilDelivery(id, "delivered");
});

test.each([
  ["the platform's own", { type: "order.placed" }, "type"],
  ["unknown", { type: "redirect.moved" }, "type"],
  ["empty", { type: "" }, "type"],
  ["a number", { type: 7 }, "type"],
  ["of another name", { event: "redirect.added" }, "event"],
])("is refused if its type is %s", async (_, body, path) => {
  const { id } = await subscribe(["redirect.added"]);
  const refusal = await sendTest(id, body);
  expect([refusal.body.error.code, ...faultsOf(refusal)]).toEqual(["validation_error", 422, path]);
  expect(await tenant.deliveries(id)).toEqual([]);
});
