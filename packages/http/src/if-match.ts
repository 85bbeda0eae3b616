// Conditional changes: a caller may say which version of a resource it means to change (contract §4, ETag).
import type { IncomingMessage } from "node:http";
import { ApiError } from "./api-error.ts";

/** In: a resource's version. Out: its entity tag, as the `ETag` header carries it. */
export function etagOf(version: number): string {
  return `"${version}"`;
}

/**
 * Throws 412 `version_mismatch` where the request has an `If-Match` that does not name the version. `*` names any;
 * a weak tag names none, as the HTTP standard says.
 */
export function requireMatch(req: IncomingMessage, version: number): void {
  const given = req.headers["if-match"];
  if (given === undefined || given.trim() === "*") return;
  const tags = given.split(",").map((tag) => tag.trim());
  if (tags.includes(etagOf(version))) return;
  throw new ApiError(
    "version_mismatch",
    `The resource is at version ${version}; If-Match asks for another.`,
    {
      headers: { etag: etagOf(version) },
    },
  );
}
