// One subscription to all ten types: ten changes lead to ten signed webhooks with the data of the event catalog.
import { createHmac } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { eventData, subscribableTypes } from "@tradepost/event-catalog";
import {
  bearer,
  type ClientResponse,
  type Receiver,
  startReceiver,
  testCertificate,
  until,
} from "@tradepost/testing";
import { Webhook } from "standardwebhooks";
import { describedWebhooks } from "../support/described-webhooks.ts";
import { startTestPlatform, type TestPlatform, type TestTenant } from "../support/test-platform.ts";

// The smallest GIF, with one pixel.
const PICTURE = Buffer.from("R0lGODlhAQABAIAAAP///wAAACH5BAAAAAAALAAAAAABAAEAAAICRAEAOw==", "base64");

let platform: TestPlatform;
let receiver: Receiver;
let tenant: TestTenant;

beforeAll(async () => {
  [platform, receiver] = await Promise.all([
    startTestPlatform(),
    testCertificate().then((tls) => startReceiver(tls)),
  ]);
  tenant = await platform.createTenant();
});

afterAll(async () => {
  await receiver.stop();
  await platform.stop();
});

test("a subscription to all ten types receives each of the ten changes once", async () => {
  const subscribed = wanted(
    await tenant.owner.post("/v1/webhooks/subscriptions", {
      name: "Everything",
      url: `${receiver.url}/all`,
      events: subscribableTypes,
    }),
  );

  wanted(
    await tenant.owner.put("/v1/content-types/article", {
      name: "Article",
      fields: [{ key: "title", type: "text", required: true }],
    }),
  );
  const entry = wanted(await tenant.key.post("/v1/entries", { type: "article", data: { title: "One" } }));
  const path = `/v1/entries/${entry.id}`;
  wanted(await tenant.key.patch(path, { data: { title: "Two" } }));
  const publishAt = new Date(Date.now() + 24 * 60 * 60_000).toISOString();
  wanted(await tenant.key.post(`${path}/schedule`, { publishAt }));
  wanted(await tenant.key.post(`${path}/publish`));
  wanted(await tenant.key.post(`${path}/unpublish`));
  wanted(await tenant.key.delete(path));
  const media = await upload();
  const redirect = wanted(await tenant.key.post("/v1/redirects", { from: "/old", to: "/new" }));
  wanted(await tenant.key.delete(`/v1/redirects/${redirect.id}`));

  await until("ten webhooks", () => receiver.received.length >= 10);
  const told = receiver.received.map(({ headers, body }) => {
    const hex = createHmac("sha256", subscribed.signingSecret).update(body).digest("hex");
    expect(headers["x-service-signature"]).toBe(`sha256=${hex}`);
    const signed = Object.entries(headers).map(([name, value]) => [name, String(value)]);
    new Webhook(subscribed.signingSecret).verify(body, Object.fromEntries(signed));
    return JSON.parse(String(body)) as {
      type: string;
      tenant_id: string;
      data: Record<string, { id: string }>;
    };
  });
  const faultsOf = describedWebhooks();
  expect(receiver.received.flatMap(faultsOf)).toEqual([]);
  expect(told.map(({ type }) => type).sort()).toEqual([...subscribableTypes].sort());
  for (const { type, tenant_id, data } of told) {
    expect(tenant_id).toBe(tenant.tenantId);
    expect(eventData[type]?.schema.parse(data)).toEqual(data);
    const { id } = data.entry ?? data.media ?? data.redirect ?? { id: "" };
    expect(id).toBe(
      type.startsWith("content.") ? entry.id : type.startsWith("media.") ? media.id : redirect.id,
    );
  }
});

test("an example event, and a request signed with two secrets, are as the API description says", async () => {
  const subscribed = wanted(
    await tenant.owner.post("/v1/webhooks/subscriptions", {
      name: "Examples",
      url: `${receiver.url}/examples`,
      events: ["media.processed"],
      headers: { "X-Gateway-Token": "secret" },
    }),
  );
  const path = `/v1/webhooks/subscriptions/${subscribed.id}`;
  wanted(await tenant.owner.post(`${path}/rotate-secret`, {}));
  wanted(await tenant.owner.post(`${path}/test`, {}));
  const request = await until("the example", () => receiver.received.find((one) => one.path === "/examples"));
  const { "x-gateway-token": own, ...headers } = request.headers;
  expect(own).toBe("secret");
  expect(headers["x-service-signature-previous"]).toBeDefined();
  const faultsOf = describedWebhooks();
  expect(faultsOf({ ...request, headers })).toEqual([]);
  // The check detects a header that is not described.
  expect(faultsOf(request)).toEqual(["the header x-gateway-token is not described"]);
});

async function upload(): Promise<{ id: string }> {
  const body = new FormData();
  body.append("file", new Blob([PICTURE]), "pixel.gif");
  const response = await fetch(`${platform.url}/v1/media`, {
    method: "POST",
    headers: bearer(tenant.apiKey),
    body,
  });
  expect(response.status).toBe(201);
  return ((await response.json()) as { data: { id: string } }).data;
}

function wanted({ status, body, text }: ClientResponse) {
  if (status >= 300) throw new Error(`refused with ${status}: ${text}`);
  return body.data;
}
