// Requests that the tests of entries share, and short forms of their responses.
import type { ClientResponse } from "@tradepost/testing";
import type { TestTenant } from "./test-content.ts";

export const ARTICLE = [
  { key: "title", type: "text", required: true },
  { key: "body", type: "richtext", required: false },
];

/** The status and the error code, such as "200" or "409 conflict". */
export function outcome({ status, body }: ClientResponse): string {
  return `${status} ${body.error?.code ?? ""}`.trim();
}

/** The response's faults: each path with its message. */
export function faults({ body }: ClientResponse): Record<string, string> {
  const details: { path: string; message: string }[] = body.error?.details ?? [];
  return Object.fromEntries(details.map(({ path, message }) => [path, message]));
}

/** Creates or changes a content type. Throws if it is refused. */
export async function putType(tenant: TestTenant, slug = "article", fields: unknown = ARTICLE) {
  return dataOf(await tenant.put(`/v1/content-types/${slug}`, { name: slug, fields }));
}

/** Creates a draft. Throws if it is refused. */
export async function newDraft(tenant: TestTenant, data: unknown, more: object = {}) {
  const entry = dataOf(await tenant.post("/v1/entries", { type: "article", data, ...more }));
  return { path: `/v1/entries/${entry.id}`, id: entry.id as string, entry };
}

/** Creates an entry and publishes it. Throws if it is refused. */
export async function newLive(tenant: TestTenant, data: unknown, more: object = {}) {
  const draft = await newDraft(tenant, data, more);
  return { ...draft, entry: dataOf(await tenant.post(`${draft.path}/publish`)) };
}

/** The data of a response. Throws if it is an error. */
export function dataOf({ status, text, body }: ClientResponse) {
  if (status >= 300) throw new Error(`${status} ${text}`);
  return body.data;
}

export function inSeconds(seconds: number): string {
  return new Date(Date.now() + seconds * 1000).toISOString();
}
