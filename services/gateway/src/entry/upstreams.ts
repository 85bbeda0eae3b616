// Which service owns a path, and which of its routes responded. Pure.
import type { IncomingHttpHeaders, IncomingMessage } from "node:http";

export type UpstreamName =
  | ("orders" | "content" | "media" | "webhooks")
  | ("orders feed" | "content feed" | "webhooks leases");

const OWNERS: Readonly<Record<string, UpstreamName>> = {
  orders: "orders",
  customers: "orders",
  erasures: "orders",
  redirects: "content",
  content: "content",
  "content-types": "content",
  entries: "content",
  // Large files must not delay small requests.
  media: "media",
  webhooks: "webhooks",
  notices: "webhooks",
};

/** Readers hold a connection while they wait. */
const FEEDS: Readonly<Record<string, UpstreamName>> = {
  "/v1/orders/events": "orders feed",
  "/v1/customers/events": "orders feed",
  "/v1/content/events": "content feed",
};

const LEASE = /^\/v1\/webhooks\/listeners\/[^/]+\/lease$/;
// A larger body would take memory while it arrives, so it does not count as a long poll.
const LEASE_BYTES_MAX = 1_024;

export function upstreamOf({
  method,
  url: path = "",
  headers,
}: Pick<IncomingMessage, "method" | "url" | "headers">): UpstreamName | null {
  const [, pathname = "", query = ""] = /^([^?]*?)\/?(?:\?(.*))?$/s.exec(path) ?? [];
  const isRead = (method === "GET" || method === "HEAD") && !hasBody(headers);
  if (isRead && Object.hasOwn(FEEDS, pathname) && mayWait(query)) return FEEDS[pathname] ?? null;
  if (method === "POST" && LEASE.test(pathname)) return "webhooks leases";
  const [, part = ""] = /^\/v1\/([^/?]*)/.exec(path) ?? [];
  return Object.hasOwn(OWNERS, part) ? (OWNERS[part] ?? null) : null;
}

function hasBody({ "content-length": length = "0", "transfer-encoding": chunked }: IncomingHttpHeaders) {
  return length !== "0" || chunked !== undefined;
}

/** Names and values may be percent-encoded, as the services read them. */
function mayWait(query: string): boolean {
  return new URLSearchParams(query).getAll("waitSeconds").some((seconds) => !/^0*$/.test(seconds));
}

export function isLongPoll(req: IncomingMessage): boolean {
  const upstream = upstreamOf(req);
  if (upstream === "webhooks leases") return hasSmallBody(req.headers);
  return upstream === "orders feed" || upstream === "content feed";
}

function hasSmallBody({ "content-length": length = "0", "transfer-encoding": chunked }: IncomingHttpHeaders) {
  return chunked === undefined && Number(length) <= LEASE_BYTES_MAX;
}

export const FORWARDED = "forwarded";

const PATTERN = /^\/v1(\/:?[a-zA-Z0-9-]{1,64}){1,10}$/;
// There are about 80 patterns. A service with ids in its patterns must not make a time series for each id.
const ROUTES_MAX = 500;

export type RouteOfResponse = (header: string | string[] | undefined) => string;

/** The route's pattern by the header `x-route` (interface §3), for metrics and the log. */
export function routesOfResponses(): RouteOfResponse {
  const known = new Set<string>();
  return (header) => {
    if (typeof header !== "string") return FORWARDED;
    if (known.has(header)) return header;
    if (known.size === ROUTES_MAX || !PATTERN.test(header)) return FORWARDED;
    known.add(header);
    return header;
  };
}
