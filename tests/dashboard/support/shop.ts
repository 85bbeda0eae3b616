// Makes the data of a shop over HTTP.
import { apiClient, bearer, until } from "@tradepost/testing";
import type { TestTenant } from "../../support/test-platform.ts";
import type { Dashboard } from "./dashboard.ts";

/** 300 × 200 pixels of one colour. */
export const PNG = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAASwAAADIAQAAAAB6pOH4AAAAMUlEQVR42u3KMQEAAAwCIPuX1gI7FgBu0pdomqZpmqZpmqZpmqZpmqZpmqZpmqZp2mWATZQEFH8x+QAAAABJRU5ErkJggg==",
  "base64",
);

/** Expects a 201. Resolves with the data. */
export async function made<Data>(response: Promise<{ status: number; body: { data: Data } }>): Promise<Data> {
  const { status, body } = await response;
  expect(status === 201 || body).toBe(true);
  return body.data;
}

export async function place({ key, customerId }: TestTenant, order: object) {
  return await made<{ id: string; orderNumber: string }>(key.post("/v1/orders", { customerId, ...order }));
}

export async function subscribe({ owner }: TestTenant, to: object): Promise<string> {
  const headers = { authorization: "Bearer its-own" };
  const subscription = { events: ["redirect.added"], headers, ...to };
  return (await made<{ id: string }>(owner.post("/v1/webhooks/subscriptions", subscription))).id;
}

/** Waits until the query finds deliveries, by default one. */
export async function deliveries({ owner }: TestTenant, query: string, count = 1) {
  type Delivery = { id: string; eventId: string };
  return await until(`${count} deliveries with ${query}`, async () => {
    const { body } = await owner.get(`/v1/webhooks/deliveries?${query}`);
    return body.data.length >= count && (body.data as [Delivery, ...Delivery[]]);
  });
}

export async function upload({ platform, tenant }: Dashboard, name: string, file: Blob): Promise<string> {
  const form = new FormData();
  form.append("file", file, name);
  const options = { method: "POST", headers: bearer(tenant.apiKey), body: form };
  const response = await fetch(`${platform.url}/v1/media`, options);
  expect(response.status).toBe(201);
  return ((await response.json()) as { data: { id: string } }).data.id;
}

export const PASSWORD = "three blue harbours";

/** Adds a user, who chooses a password with the set-up link. */
export async function addMember(
  { platform, tenant }: Pick<Dashboard, "platform" | "tenant">,
  name: string,
  role = "viewer",
) {
  const email = `${name.replace(/\W/g, "").slice(0, 20).toLowerCase()}@people.example`;
  const { body } = await tenant.owner.post("/v1/users", { name, email, role });
  const { token } = body.data.setup;
  await apiClient(platform.url).post("/v1/auth/setup", { token, password: PASSWORD });
  return { id: body.data.id as string, as: { email, password: PASSWORD } };
}
