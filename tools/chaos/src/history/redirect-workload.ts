// Requests of several clients about the redirect of one path, of which there is at most one (interface §5).
import { randomUUID } from "node:crypto";
import { modelOf } from "./linearize.ts";
import type { Workload } from "./workload.ts";

/** A redirect is named by its target, which no other one has. */
export type RedirectRequest =
  | { readonly name: "create" | "delete"; readonly to: string }
  | { readonly name: "resolve" | "list" };

export type RedirectResponse =
  | { readonly status: number; readonly to: readonly string[] }
  | { readonly status: number; readonly code: string };

export interface RedirectState {
  readonly to: string | null;
}

export const redirectModel = modelOf<RedirectState, RedirectRequest, RedirectResponse>({ to: null }, respond);

function respond(state: RedirectState, request: RedirectRequest) {
  const { to } = state;
  const notFound = { after: state, responds: { status: 404, code: "not_found" } };
  const shown = { after: state, responds: { status: 200, to: to === null ? [] : [to] } };
  switch (request.name) {
    case "create":
      if (to !== null) return { after: state, responds: { status: 409, code: "redirect_exists" } };
      return { after: { to: request.to }, responds: { status: 201, to: [request.to] } };
    case "delete":
      return to === request.to ? { after: { to: null }, responds: { status: 200, to: [] } } : notFound;
    case "resolve":
      return to === null ? notFound : shown;
    case "list":
      return shown;
  }
}

export interface WorkedRedirect {
  readonly from: string;
  readonly ids: Map<string, string>;
  latest: string | null;
}

export const redirectWorkload: Workload<WorkedRedirect, RedirectState, RedirectRequest, RedirectResponse> = {
  model: redirectModel,
  create: () => ({ from: `/history/${randomUUID()}`, ids: new Map(), latest: null }),
  choose: ({ latest }, random) => {
    const chance = random();
    if (chance < 0.35) return { name: "create", to: `/${randomUUID()}` };
    if (chance < 0.6 && latest !== null) return { name: "delete", to: latest };
    return { name: chance < 0.85 ? "resolve" : "list" };
  },
  lastOf: () => ({ name: "list" }),
  httpOf: ({ from, ids }, request) => {
    const path = "/v1/redirects";
    switch (request.name) {
      case "create":
        return { method: "POST", path, body: { from, to: request.to } };
      case "delete":
        return { method: "DELETE", path: `${path}/${ids.get(request.to)}` };
      case "resolve":
        return { method: "GET", path: `${path}/resolve?path=${encodeURIComponent(from)}` };
      case "list":
        return { method: "GET", path: `${path}?from=${encodeURIComponent(from)}` };
    }
  },
  responseOf: (redirect, { status, body: { data, error } }) => {
    if (error !== undefined) return { status, code: error.code };
    if (data.deleted === true) return { status, to: [] };
    const shown = [data].flat() as { id: string; to: string }[];
    for (const { id, to } of shown) {
      // Two redirects with one target were made by one request.
      if ((redirect.ids.get(to) ?? id) !== id)
        return { status, code: `both ${redirect.ids.get(to)} and ${id}` };
      redirect.ids.set(to, id);
      redirect.latest = to;
    }
    return { status, to: shown.map(({ to }) => to) };
  },
};
