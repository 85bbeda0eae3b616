// Conditional reads: a caller that has the current version of a resource gets 304 without the body (interface §1).
import type { IncomingMessage } from "node:http";
import type { ApiResponse } from "./api-response.ts";

/**
 * Returns the response to a GET or a HEAD, or 304 if it has an `etag` that the request's `If-None-Match` names. `*` names
 * every version, and weak tags match too (RFC 9110). A stream is returned as it is: its route compares by itself. So is a
 * response that `isAlwaysSent`.
 */
export function withoutKnownBody(req: IncomingMessage, response: ApiResponse): ApiResponse {
  const isRead = req.method === "GET" || req.method === "HEAD";
  const ifNoneMatch = req.headers["if-none-match"];
  const etag = response.headers?.etag;
  if (!isRead || ifNoneMatch === undefined || etag === undefined) return response;
  if (response.status !== 200 || response.stream !== undefined || response.isAlwaysSent) return response;
  if (ifNoneMatch.trim() !== "*" && !tagsIn(ifNoneMatch).includes(withoutWeakness(etag))) return response;
  return { status: 304, headers: response.headers ?? {}, bytes: Buffer.alloc(0) };
}

/** A tag may contain commas, so the list is not split at them. */
function tagsIn(list: string): string[] {
  return (list.match(/(?:W\/)?"[^"]*"/g) ?? []).map(withoutWeakness);
}

function withoutWeakness(tag: string): string {
  return tag.replace(/^W\//, "");
}
