// Refuses requests to /mcp that come from pages of other origins, and messages that are batches, subscriptions or too wide. Pure.
import type { IncomingMessage } from "node:http";
import { ApiError } from "@tradepost/http";
import { isRawNumber } from "@tradepost/json";

/**
 * The protocol's defence against DNS rebinding, in case a browser holds a key. A request without `Origin` does not come from a
 * page. Without `allowedOrigins` the origin must have the host and port of `Host`; the scheme is not compared, because TLS may
 * end at a proxy. @throws 403 `forbidden`.
 */
export function refuseForeignOrigin(
  { headersDistinct }: Pick<IncomingMessage, "headersDistinct">,
  allowedOrigins: readonly string[] | undefined,
): void {
  const origins = headersDistinct.origin ?? [];
  const hosts = headersDistinct.host ?? [];
  if (origins.length === 0) return;
  const [origin] = origins;
  const isAllowed =
    origins.length === 1 &&
    origin !== undefined &&
    (allowedOrigins === undefined ? isOfHost(origin, hosts[0]) : allowedOrigins.includes(origin));
  if (!isAllowed) throw new ApiError("forbidden", "Requests from web pages of another origin are refused.");
}

function isOfHost(origin: string, host: string | undefined): boolean {
  const url = URL.canParse(origin) ? new URL(origin) : null;
  if (url === null || host === undefined || !/^https?:$/.test(url.protocol)) return false;
  const ofHost = `${url.protocol}//${host}`;
  return URL.canParse(ofHost) && new URL(ofHost).host === url.host;
}

/** Returns why a body is refused, or null. A batch would make requests cheaper; a subscription would hold a stream open. */
export function refusalOf(json: unknown): string | null {
  if (typeof json !== "object" || json === null || isRawNumber(json) || Array.isArray(json))
    return "The body must be one JSON-RPC message; batches are not supported.";
  if ((json as { method?: unknown }).method === "subscriptions/listen")
    return "Subscriptions are not supported; list the tools again instead.";
  return isTooWide(json) ? "The message has too many members outside params.arguments." : null;
}

/**
 * Members at every depth count, except in the tool's arguments. The protocol's package parses them several times: 150,000 take
 * 3 s of one core. Clients send about 10.
 */
const MEMBERS_MAX = 500;

function isTooWide(message: object): boolean {
  const { params, ...others } = message as { readonly params?: unknown };
  const { arguments: _, ...otherParams } = isObject(params) ? params : {};
  return hasMoreMembers([others, otherParams], MEMBERS_MAX);
}

function hasMoreMembers(roots: readonly object[], membersMax: number): boolean {
  const left: object[] = [...roots];
  let count = 0;
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    const members = Object.values(next);
    count += members.length;
    if (count > membersMax) return true;
    left.push(...members.filter(isObject));
  }
  return false;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}
