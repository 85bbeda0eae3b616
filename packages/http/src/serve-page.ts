// Serves the pages of a service: files for browsers, outside the API, without authentication.
import type { IncomingMessage } from "node:http";
import { ApiError } from "./api-error.ts";
import type { ApiResponse } from "./api-response.ts";
import { withoutKnownBody } from "./if-none-match.ts";
import type { StaticFile } from "./static-file.ts";

/** A path of a page, or of a file that a page uses. */
export interface Page {
  /**
   * In Express's notation: `/docs/assets/:name`, or `/files/*path` with any number of segments. A trailing slash makes no
   * difference.
   */
  readonly path: string;
  /** Returns the file, or undefined if there is no file with that name. */
  readonly find: (params: Readonly<Record<string, string>>) => StaticFile | undefined;
}

const METHODS = "GET, HEAD";

/**
 * Responds to a request for a page. The query is ignored, because links may carry parameters of other programs.
 *
 * @throws 404 `not_found` and 405 `method_not_allowed`.
 */
export async function servePage(
  page: Page,
  req: IncomingMessage,
  params: Readonly<Record<string, string | readonly string[]>>,
): Promise<ApiResponse> {
  const file = page.find(joined(params));
  if (file === undefined) throw new ApiError("not_found", "No such path.");
  if (req.method !== "GET" && req.method !== "HEAD") {
    throw new ApiError("method_not_allowed", "Use GET or HEAD for this path.", {
      headers: { allow: METHODS },
    });
  }
  return withoutKnownBody(req, await file());
}

/** Joins the segments of a `*path`, which Express returns as a list. */
function joined(params: Readonly<Record<string, string | readonly string[]>>): Record<string, string> {
  const entries = Object.entries(params);
  return Object.fromEntries(
    entries.map(([name, value]) => [name, typeof value === "string" ? value : value.join("/")]),
  );
}
