// The routes of the content service: who may call what, and who answers.
import { pageQuery, type Route, route } from "@tradepost/http";
import { z } from "zod";
import { redirectInput } from "../redirect/redirect-input.ts";
import { addRedirect } from "./add-redirect.ts";
import type { Content } from "./context.ts";
import { listRedirects } from "./list-redirects.ts";
import { readRedirect } from "./read-redirect.ts";
import { removeRedirect } from "./remove-redirect.ts";
import { resolveQuery, resolveRedirect } from "./resolve-redirect.ts";

const page = z.strictObject(pageQuery);

// biome-ignore format: a table is read by its columns.
export function routes(content: Content): Route[] {
  return [
    route({ method: "POST",   path: "/v1/redirects",         module: "content", role: "editor", scope: "write:content", body: redirectInput, answer: addRedirect(content) }),
    route({ method: "GET",    path: "/v1/redirects",         module: "content", role: "viewer", scope: "read:content",  query: page, answer: listRedirects(content) }),
    route({ method: "GET",    path: "/v1/redirects/resolve", module: "content", role: "viewer", scope: "read:content",  query: resolveQuery, answer: resolveRedirect(content) }),
    route({ method: "GET",    path: "/v1/redirects/:id",     module: "content", role: "viewer", scope: "read:content",  answer: readRedirect(content) }),
    route({ method: "DELETE", path: "/v1/redirects/:id",     module: "content", role: "editor", scope: "write:content", answer: removeRedirect(content) }),
  ];
}
