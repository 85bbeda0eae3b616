// Which service owns which path. Pure.

export type UpstreamName = "orders" | "content" | "media" | "webhooks";

/** By the path's first part after /v1. */
const OWNERS: Readonly<Record<string, UpstreamName>> = {
  orders: "orders",
  customers: "orders",
  redirects: "content",
  "content-types": "content",
  entries: "content",
  // The content service as well, over connections of their own: whole files must not stand before small calls.
  media: "media",
  webhooks: "webhooks",
};

/** The service that owns a path (with or without query), or null where none does. */
export function upstreamOf(path: string): UpstreamName | null {
  const [, part = ""] = /^\/v1\/([^/?]*)/.exec(path) ?? [];
  return Object.hasOwn(OWNERS, part) ? (OWNERS[part] ?? null) : null;
}
