// Conditional reads: a caller that has the current version of a resource gets 304 without the body (interface §1).
import type { IncomingMessage } from "node:http";
import type { ApiResponse } from "./api-response.ts";

/**
 * Returns 304 if the request is a GET or HEAD and its `If-None-Match` names the `etag` of the response; otherwise returns the
 * response (interface §1). `*` names every version, and weak tags match too (RFC 9110). A stream is always returned, because its
 * route compares by itself, and so is a response with `isAlwaysSent`.
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

/** Returns the tags of a list. It does not split at commas, because a tag may contain them. */
function tagsIn(list: string): string[] {
  return (list.match(/(?:W\/)?"[^"]*"/g) ?? []).map(withoutWeakness);
}

function withoutWeakness(tag: string): string {
  return tag.replace(/^W\//, "");
}
