// Describes the operations on redirects (interface §5). Pure.
import { redirect } from "@tradepost/event-catalog";
import { type About, data, page } from "@tradepost/http";
import { deleted } from "./deleted.ts";

const tag = "Redirects";

export const redirectAbouts = {
  create: {
    id: "createRedirect",
    tag,
    summary: "Create a redirect",
    description:
      "A redirect that leads back to its own path, directly or through others, is refused, and so is one that leads over more than 1,000 others. Each path has one redirect.",
    responses: { 201: data(redirect) },
    location: true,
    errors: ["redirect_exists", "redirect_loop"],
    emits: ["redirect.added"],
  },
  list: {
    id: "listRedirects",
    tag,
    summary: "List redirects, newest first",
    responses: { 200: page(redirect) },
  },
  resolve: {
    id: "resolveRedirect",
    tag,
    summary: "Find the redirect from a path",
    description: "One lookup, for the server of the site. It does not follow a chain of redirects.",
    responses: { 200: data(redirect) },
    errors: ["not_found"],
  },
  get: {
    id: "getRedirect",
    tag,
    summary: "Get a redirect",
    responses: { 200: data(redirect) },
  },
  delete: {
    id: "deleteRedirect",
    tag,
    summary: "Delete a redirect",
    responses: { 200: data(deleted) },
    emits: ["redirect.removed"],
  },
} satisfies Record<string, About>;
