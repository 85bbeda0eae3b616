// Refuses requests without a route: 405 with `Allow` if the path has other methods, else 404. Under /v1, a request without
// authentication gets 401.
import { ApiError } from "./api-error.ts";
import type { Identify, RequestContext } from "./request-context.ts";
import type { Route } from "./route.ts";

/** Always rejects with an ApiError. */
export async function unrouted(
  context: RequestContext,
  options: { routes: readonly Route[]; identify: Identify },
): Promise<never> {
  const path = (context.req.url ?? "").split("?", 1)[0] ?? "";
  if (/^\/v1(\/|$)/.test(path)) context.principal = await options.identify(context);
  const rows = options.routes.filter((row) => matches(row.path, path));
  if (rows.length === 0) throw new ApiError("not_found", "No such path.");
  // A path may match several rows: `/redirects/resolve` also matches `/redirects/:id`. The formatter is created here because it
  // takes 15 ms, and few requests need it.
  const orList = new Intl.ListFormat("en", { type: "disjunction" });
  const allowed = [...new Set(rows.map((row) => row.method))];
  throw new ApiError("method_not_allowed", `Use ${orList.format(allowed)} for this path.`, {
    headers: { allow: allowed.join(", ") },
  });
}

function matches(pattern: string, path: string): boolean {
  const patternParts = pattern.split("/");
  const pathParts = path.replace(/\/$/, "").split("/");
  return (
    patternParts.length === pathParts.length &&
    patternParts.every((part, index) =>
      part.startsWith(":") ? pathParts[index] !== "" : part === pathParts[index],
    )
  );
}
