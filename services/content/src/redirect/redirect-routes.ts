// The routes of redirects (interface §5).
import { redirect } from "@tradepost/event-catalog";
import {
  type ApiRequest,
  cursorPage,
  data,
  etagOf,
  exporter,
  file,
  listed,
  notFound,
  ok,
  page,
  requireMatch,
  route,
} from "@tradepost/http";
import { withIdempotencyKey } from "@tradepost/idempotency";
import { admit, type FirstEvents, withoutQuota } from "@tradepost/messaging";
import type { TenantDatabases } from "@tradepost/postgres";
import { deleted, READ, WRITE } from "../route-parts.ts";
import type { Tables } from "../tables.ts";
import {
  type RedirectInput,
  type RedirectsQuery,
  type ResolveQuery,
  redirectInput,
  redirectsExportQuery,
  redirectsQuery,
  resolveQuery,
} from "./redirect-input.ts";
import {
  findRedirect,
  findRedirectFrom,
  listRedirects,
  type Redirect,
  readRedirectsToExport,
} from "./redirect-store.ts";
import { createdResponse, createRedirect, deleteRedirect } from "./write-redirect.ts";

export interface RedirectContext {
  readonly tenants: TenantDatabases<Tables>;
  readonly onCommit: () => void;
  readonly firstEvents: FirstEvents;
}

const tag = "Redirects";

const create = ({ tenants, firstEvents }: RedirectContext) =>
  route({
    method: "POST",
    path: "/v1/redirects",
    ...WRITE,
    isIdempotent: true,
    body: redirectInput,
    about: {
      id: "createRedirect",
      tag,
      summary: "Create a redirect",
      description:
        "A redirect that leads back to its own path, directly or through others, is refused, and so is one that leads over more than 1,000 others. Each path has one redirect.",
      responses: { 201: data(redirect) },
      location: true,
      etag: true,
      errors: ["redirect_exists", "redirect_loop"],
      emits: ["redirect.added"],
    },
    handle: withIdempotencyKey(tenants, async (tenant, request: ApiRequest<RedirectInput, undefined>) => {
      admit(request, "eventBytes");
      const redirect = await createRedirect(tenant, request, firstEvents);
      return createdResponse(redirect.id, redirect);
    }),
  });

const list = ({ tenants }: RedirectContext) =>
  route({
    method: "GET",
    path: "/v1/redirects",
    ...READ,
    query: redirectsQuery,
    about: {
      id: "listRedirects",
      tag,
      summary: "List redirects, newest first",
      responses: { 200: page(redirect) },
    },
    handle: async ({ principal, query }: ApiRequest<undefined, RedirectsQuery>) =>
      listed(cursorPage(await listRedirects(tenants.of(principal.tenantId), query), query.limit)),
  });

const COLUMNS = ["id", "from", "to", "type", "createdAt"] as const;

const exportAll = ({ tenants }: RedirectContext) => {
  const respond = exporter();
  return route({
    method: "GET",
    path: "/v1/redirects/export",
    ...READ,
    query: redirectsExportQuery,
    about: {
      id: "exportRedirects",
      tag,
      summary: "Export redirects",
      description: "All redirects, the oldest first, as `GET /v1/orders/export` exports orders.",
      responses: { 200: file("text/csv", "application/x-ndjson") },
    },
    handle: async (request) => {
      const tenant = tenants.of(request.principal.tenantId);
      const { from } = request.query;
      return await respond(request, {
        name: "redirects",
        columns: COLUMNS,
        lines: (redirect: Redirect) => [COLUMNS.map((column) => redirect[column])],
        readPage: (after) => readRedirectsToExport(tenant, { from, after }),
        find: (id) => findRedirect(tenant, id),
      });
    },
  });
};

const resolve = ({ tenants }: RedirectContext) =>
  route({
    method: "GET",
    path: "/v1/redirects/resolve",
    ...READ,
    query: resolveQuery,
    about: {
      id: "resolveRedirect",
      tag,
      summary: "Find the redirect from a path",
      description: "One lookup, for the server of the site. It does not follow a chain of redirects.",
      responses: { 200: data(redirect) },
      errors: ["not_found"],
    },
    handle: async ({ principal, query }: ApiRequest<undefined, ResolveQuery>) => {
      const redirect = await findRedirectFrom(tenants.of(principal.tenantId), query.path);
      if (redirect === null) throw notFound("redirect from this path");
      return ok(redirect);
    },
  });

const read = ({ tenants }: RedirectContext) =>
  route({
    method: "GET",
    path: "/v1/redirects/:id",
    ...READ,
    about: {
      id: "getRedirect",
      tag,
      summary: "Get a redirect",
      responses: { 200: data(redirect) },
      etag: true,
    },
    handle: async ({ principal, id }) => {
      const redirect = await findRedirect(tenants.of(principal.tenantId), id);
      if (redirect === null) throw notFound("redirect");
      return ok(redirect, { etag: etagOf(redirect.version) });
    },
  });

const remove = ({ tenants, onCommit }: RedirectContext) =>
  route({
    method: "DELETE",
    path: "/v1/redirects/:id",
    ...WRITE,
    about: {
      id: "deleteRedirect",
      tag,
      summary: "Delete a redirect",
      responses: { 200: data(deleted) },
      ifMatch: true,
      emits: ["redirect.removed"],
    },
    handle: async (request) => {
      const { id, principal } = request;
      const tenant = tenants.of(principal.tenantId);
      const ifMatch = request.raw.headers["if-match"];
      if (ifMatch !== undefined) {
        const before = await findRedirect(tenant, id);
        if (before === null) throw notFound("redirect");
        requireMatch(ifMatch, before.version);
      }
      const isDeleted = await deleteRedirect(tenant, id, withoutQuota(request));
      if (!isDeleted) throw notFound("redirect");
      onCommit();
      return ok({ id, deleted: true });
    },
  });

export const redirectRoutes = [create, list, exportAll, resolve, read, remove];
