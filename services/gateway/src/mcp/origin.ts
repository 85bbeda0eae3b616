// Refuses requests to /mcp from pages of other origins (the protocol's defence against DNS rebinding). Pure.
//
// A page cannot make a request here by itself: it has no API key, and no cookie is accepted. The check holds also where a key
// has got into a browser.
import type { IncomingMessage } from "node:http";
import { ApiError } from "@tradepost/http";

/**
 * Without `Origin` the caller is not a web page. With one, it must be in `allowedOrigins`, or, if that is undefined, have the
 * host and port of the request's `Host`. The scheme is not compared, because TLS may end at a proxy.
 *
 * @throws 403 `forbidden`.
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
