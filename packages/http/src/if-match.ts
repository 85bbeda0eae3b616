// Conditional requests: a caller may name the version of the resource that it wants to change (interface §4, ETag).
import type { IncomingMessage } from "node:http";
import { ApiError } from "./api-error.ts";

/** The `ETag` of a version of a resource. */
export function etagOf(version: number): string {
  return `"${version}"`;
}

/**
 * Checks that the request's `If-Match`, if it has one, names this version. `*` matches every version; a weak tag matches
 * none (RFC 9110).
 *
 * @throws 412 `version_mismatch`.
 */
export function requireMatch(req: IncomingMessage, version: number): void {
  const header = req.headers["if-match"];
  if (header === undefined || header.trim() === "*") return;
  const tags = header.split(",").map((tag) => tag.trim());
  if (tags.includes(etagOf(version))) return;
  throw new ApiError(
    "version_mismatch",
    `The resource is at version ${version}; If-Match asks for another.`,
    {
      headers: { etag: etagOf(version) },
    },
  );
}
