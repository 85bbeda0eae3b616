// What an editor does again and again: a type, a draft, a time, and what a call came to.
import type { ClientResponse } from "@tradepost/testing";
import type { TestTenant } from "./test-content.ts";

export const ARTICLE = [
  { key: "title", type: "text", required: true },
  { key: "body", type: "richtext", required: false },
];

/** "200", or "409 conflict". */
export function outcome({ status, body }: ClientResponse): string {
  return `${status} ${body.error?.code ?? ""}`.trim();
}

/** The answer's faults, by path. */
export function faults({ body }: ClientResponse): Record<string, string> {
  const details: { path: string; message: string }[] = body.error?.details ?? [];
  return Object.fromEntries(details.map(({ path, message }) => [path, message]));
}

/** Throws where the type is refused. */
export async function putType(tenant: TestTenant, slug = "article", fields: unknown = ARTICLE) {
  return wanted(await tenant.put(`/v1/content-types/${slug}`, { name: slug, fields }));
}

/** A draft's path and the draft. Throws where it is refused. */
export async function newDraft(tenant: TestTenant, data: unknown, more: object = {}) {
  const entry = wanted(await tenant.post("/v1/entries", { type: "article", data, ...more }));
  return { path: `/v1/entries/${entry.id}`, id: entry.id as string, entry };
}

/** As above, and live. */
export async function newLive(tenant: TestTenant, data: unknown, more: object = {}) {
  const draft = await newDraft(tenant, data, more);
  return { ...draft, entry: wanted(await tenant.post(`${draft.path}/publish`)) };
}

/** The data of an answer. Throws where it is a refusal. */
export function wanted({ status, text, body }: ClientResponse) {
  if (status >= 300) throw new Error(`${status} ${text}`);
  return body.data;
}

export function inSeconds(seconds: number): string {
  return new Date(Date.now() + seconds * 1000).toISOString();
}
