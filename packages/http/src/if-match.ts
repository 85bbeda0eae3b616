// Conditional requests: a caller may name the version of the resource that it wants to change (interface §1).
import { ApiError } from "./api-error.ts";

/** The `ETag` of a version of a resource. */
export function etagOf(version: number): string {
  return `"${version}"`;
}

/**
 * Checks that `ifMatch`, the request's header if it has one, names this version. `*` matches every version; a weak tag matches
 * none (RFC 9110).
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
