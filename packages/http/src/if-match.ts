// Conditional requests: a caller may name the version of the resource that it wants to change (interface §1).
import type { IncomingMessage } from "node:http";
import { ApiError, type FieldFault } from "./api-error.ts";

/** Returns the `ETag` of a version of a resource. */
export function etagOf(version: number): string {
  return `"${version}"`;
}

// One or more strong entity tags, or `*` (RFC 9110).
const IF_MATCH = /^\s*(?:\*|"[^"]*"(?:\s*,\s*"[^"]*")*)\s*$/;

/**
 * Returns the faults of `If-Match`, if the header is present: a weak tag, which never matches, or a version without quotes
 * (interface §1).
 */
export function ifMatchFaults(req: IncomingMessage): FieldFault[] {
  const ifMatch = req.headers["if-match"];
  if (ifMatch === undefined || IF_MATCH.test(ifMatch)) return [];
  const isWeak = /(?:^|,)\s*W\//i.test(ifMatch);
  const rule = 'must be an ETag such as "2" with its quotation marks, a list of them, or *';
  return [{ path: "If-Match", message: isWeak ? `${rule}; a weak tag, W/"2", never matches` : rule }];
}

/**
 * Checks that the `If-Match` header, if present, names this version. `*` matches every version. `ifMatchFaults` has refused
 * malformed headers.
 *
 * @throws 412 `version_mismatch`.
 */
export function requireMatch(ifMatch: string | undefined, version: number): void {
  if (ifMatch === undefined || ifMatch.trim() === "*") return;
  const tags = ifMatch.split(",").map((tag) => tag.trim());
  if (tags.includes(etagOf(version))) return;
  throw new ApiError(
    "version_mismatch",
    `The resource is at version ${version}; If-Match asks for another.`,
    {
      headers: { etag: etagOf(version) },
    },
  );
}
