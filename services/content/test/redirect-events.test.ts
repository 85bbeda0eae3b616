// The events of redirects: one for each change, in order, with the data that the catalog describes.
import { afterAll, describe, expect, test } from "@jest/globals";
import { eventData } from "@tradepost/event-catalog";
import { captureMessages, until } from "@tradepost/testing";
import { startTestContent } from "./support/test-content.ts";

const content = await startTestContent();
const captured = await captureMessages(content.amqpUrl, "#");
await content.captureEvents();
afterAll(async () => {
  await captured.stop();
  await content.stop();
});

describe("the service", () => {
  const eventsOf = (tenantId: string) =>
    captured.messages.filter(({ properties }) => properties.headers?.tenant_id === tenantId);

  test("publishes redirect.added and redirect.removed with the redirect and its version, once each and in this order", async () => {
    const tenant = content.newTenant();
    const input = { from: "/old/", to: "https://new.example/?q=é", type: 308 };
    const added = await tenant.post("/v1/redirects", input);
    const redirect = added.body.data;
    await tenant.delete(`/v1/redirects/${redirect.id}`);
    const [first, second] = await until("both events", () => {
      const events = eventsOf(tenant.tenantId);
      return events.length >= 2 && events;
    });
    for (const [message, type, version] of [
      [first, "redirect.added", 1],
      [second, "redirect.removed", 2],
    ] as const) {
      const event = JSON.parse(String(message?.content));
      expect(message?.fields).toMatchObject({ exchange: "platform.events", routingKey: type });
      expect(message?.properties).toMatchObject({
        type,
        messageId: event.id,
        deliveryMode: 2,
        contentType: "application/json",
        timestamp: expect.any(Number),
        headers: { tenant_id: tenant.tenantId, traceparent: expect.stringMatching(/^00-[0-9a-f]{32}-/) },
      });
      expect(event).toEqual({
        id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7/),
        type,
        tenant_id: tenant.tenantId,
        occurred_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
        request_id: expect.any(String),
        actor: { type: "user", id: expect.any(String), name: "Test Owner" },
        data: { redirect: { ...redirect, version } },
      });
      expect(eventData[type]?.schema.parse(event.data)).toEqual(event.data);
    }
    expect(JSON.parse(String(first?.content)).request_id).toBe(added.headers.get("x-request-id"));
  });
});
