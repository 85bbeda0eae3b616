import type { IncomingMessage } from "node:http";
import { ApiError, type FieldFault } from "./api-error.ts";
import type { ApiResponse } from "./api-response.ts";

export function etagOf(version: number): string {
  return `"${version}"`;
}

// One or more strong entity tags, or `*` (RFC 9110).
const IF_MATCH = /^\s*(?:\*|"[^"]*"(?:\s*,\s*"[^"]*")*)\s*$/;

/** Returns the faults of `If-Match` (interface §1): a weak tag, which never matches, or a version without quotes. */
export function ifMatchFaults(req: IncomingMessage): FieldFault[] {
  const ifMatch = req.headers["if-match"];
  if (ifMatch === undefined || IF_MATCH.test(ifMatch)) return [];
  const isWeak = /(?:^|,)\s*W\//i.test(ifMatch);
  const rule = 'must be an ETag such as "2" with its quotation marks, a list of them, or *';
  return [{ path: "If-Match", message: isWeak ? `${rule}; a weak tag, W/"2", never matches` : rule }];
}

/**
 * Checks that `If-Match`, if present, names this version. `ifMatchFaults` has refused malformed headers.
 * @throws 412 `version_mismatch`.
 */
export function requireMatch(ifMatch: string | undefined, version: number): void {
  if (ifMatch === undefined || ifMatch.trim() === "*") return;
  const etag = etagOf(version);
  if (ifMatch.split(",").some((tag) => tag.trim() === etag)) return;
  const message = `The resource is at version ${version}; If-Match asks for another.`;
  throw new ApiError("version_mismatch", message, { headers: { etag } });
}

/** Returns 304 if the `If-None-Match` of a GET or HEAD names the `etag` (interface §1). A stream's route compares by itself. */
export function withoutKnownBody(req: IncomingMessage, response: ApiResponse): ApiResponse {
  const isRead = req.method === "GET" || req.method === "HEAD";
  const etag = response.headers?.etag;
  if (!isRead || etag === undefined || !isKnown(req, etag)) return response;
  if (response.status !== 200 || response.stream !== undefined) return response;
  return { status: 304, headers: response.headers ?? {}, bytes: Buffer.alloc(0) };
}

/** Reports whether `If-None-Match` names the tag. `*` names every version, and weak tags match (RFC 9110). */
export function isKnown({ headers }: Pick<IncomingMessage, "headers">, etag: string): boolean {
  const ifNoneMatch = headers["if-none-match"] ?? "";
  return ifNoneMatch.trim() === "*" || tagsIn(ifNoneMatch).includes(withoutWeakness(etag));
}

/** A tag may contain commas. */
function tagsIn(list: string): string[] {
  return (list.match(/(?:W\/)?"[^"]*"/g) ?? []).map(withoutWeakness);
}

function withoutWeakness(tag: string): string {
  return tag.replace(/^W\//, "");
}
