// Which service owns which path. Pure.

export type UpstreamName = "orders" | "content" | "media" | "webhooks";

/** By the first path segment after /v1. */
const OWNERS: Readonly<Record<string, UpstreamName>> = {
  orders: "orders",
  customers: "orders",
  redirects: "content",
  "content-types": "content",
  entries: "content",
  // The content service too, but over separate connections: large files must not delay small requests.
  media: "media",
  webhooks: "webhooks",
};

/** Returns the service that owns a path (with or without a query), or null. */
export function upstreamOf(path: string): UpstreamName | null {
  const [, part = ""] = /^\/v1\/([^/?]*)/.exec(path) ?? [];
  return Object.hasOwn(OWNERS, part) ? (OWNERS[part] ?? null) : null;
}
