// The routes of redirects (interface §5).
import { redirect } from "@tradepost/event-catalog";
import {
  ApiError,
  type ApiRequest,
  cursorPage,
  data,
  errorBody,
  etagOf,
  exporter,
  file,
  listed,
  notFound,
  ok,
  page,
  required,
  requireMatch,
  route,
  validateNew,
} from "@tradepost/http";
import { recording, withIdempotencyKey } from "@tradepost/idempotency";
import { admit, type Cause, type FirstEvents, QUOTA_EXCEEDED, withoutQuota } from "@tradepost/messaging";
import type { TenantDatabases } from "@tradepost/postgres";
import { COUNT_FIELDS } from "@tradepost/search";
import { z } from "zod";
import { deleted, READ, WRITE } from "../route-parts.ts";
import type { Tables, Tenant } from "../tables.ts";
import {
  type NewRedirectInput,
  newRedirectInput,
  type RedirectsInput,
  redirectInput,
  redirectsExportQuery,
  redirectsInput,
  redirectsQuery,
  resolveQuery,
} from "./redirect-input.ts";
import {
  countRedirects,
  findRedirect,
  findRedirectFrom,
  listRedirects,
  type Redirect,
  readRedirectsToExport,
} from "./redirect-store.ts";
import {
  createdResponse,
  createRedirect,
  createRedirectIn,
  deleteRedirect,
  replaceRedirect,
} from "./write-redirect.ts";

export interface RedirectContext {
  readonly tenants: TenantDatabases<Tables>;
  readonly onCommit: () => void;
  readonly firstEvents: FirstEvents;
}

const tag = "Redirects";

const create = ({ tenants, firstEvents, onCommit }: RedirectContext) =>
  route("POST /v1/redirects", {
    ...WRITE,
    isIdempotent: true,
    body: newRedirectInput,
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
      emits: ["redirect.added", "redirect.removed"],
    },
    handle: withIdempotencyKey(tenants, async (tenant, request: ApiRequest<NewRedirectInput, undefined>) => {
      admit(request, "eventBytes");
      const { replaces } = request.body;
      if (replaces !== undefined) {
        const replaced = await replaceRedirect(tenant, replaces, request);
        onCommit();
        return replaced;
      }
      const redirect = await createRedirect(tenant, request, firstEvents);
      return createdResponse(redirect);
    }),
  });

const createMany = (context: RedirectContext) =>
  route("POST /v1/redirects/bulk", {
    ...WRITE,
    isIdempotent: true,
    body: redirectsInput,
    about: {
      id: "createRedirects",
      tag,
      summary: "Create up to 100 redirects",
      description:
        "Each redirect succeeds or fails by itself, so the response is 200 also if every one of them has failed. The results are in the order of the request. A redirect at fault has the error that `POST /v1/redirects` would respond with; earlier ones of the request count for later ones.",
      responses: { 200: data(z.array(redirectResult)) },
      emits: ["redirect.added"],
    },
    handle: recording(context, async (tx, request: ApiRequest<RedirectsInput, undefined>) => {
      const results: object[] = [];
      for (const [index, json] of request.body.redirects.entries())
        results.push({ index, ...(await createOne(tx, json, request)) });
      return ok(results);
    }),
  });

async function createOne(tx: Tenant, json: unknown, cause: Cause) {
  try {
    const input = validateNew(redirectInput, json);
    admit(cause, "eventBytes");
    return { success: true, data: await createRedirectIn(tx, input, cause) };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return { success: false, error: errorBody(error, cause.requestId) };
  }
}

const index = z.int().min(0).max(99).describe("The place of the redirect in the request, from 0");
const redirectResult = z
  .discriminatedUnion("success", [
    z.strictObject({ index, success: z.literal(true), data: redirect }),
    z.strictObject({
      index,
      success: z.literal(false),
      error: z.strictObject({
        code: z.enum(["validation_error", "redirect_exists", "redirect_loop", "quota_exceeded"]),
        message: z.string(),
        requestId: z.string(),
        details: z
          .array(z.strictObject({ path: z.string(), message: z.string() }))
          .optional()
          .describe("Every field at fault, with its path in the redirect"),
        quota: QUOTA_EXCEEDED.fields.quota.optional(),
      }),
    }),
  ])
  .meta({ id: "RedirectResult", description: "The redirect that was created, or why it was not." });

const list = ({ tenants }: RedirectContext) =>
  route("GET /v1/redirects", {
    ...READ,
    query: redirectsQuery,
    about: {
      id: "listRedirects",
      tag,
      summary: "List redirects, newest first",
      responses: { 200: page(redirect, COUNT_FIELDS) },
    },
    handle: async ({ principal, query }) => {
      const tenant = tenants.of(principal.tenantId);
      const { redirects, end } = await listRedirects(tenant, query);
      const counted = query.count ? await countRedirects(tenant, query) : {};
      return listed({ ...cursorPage(redirects, query.limit, { end }), ...counted });
    },
  });

const COLUMNS = ["id", "from", "to", "type", "createdAt"] as const;

const exportAll = ({ tenants }: RedirectContext) => {
  const respond = exporter();
  return route("GET /v1/redirects/export", {
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
      return await respond(request, {
        name: "redirects",
        columns: COLUMNS,
        lines: (redirect: Redirect) => [COLUMNS.map((column) => redirect[column])],
        readPage: (after) => readRedirectsToExport(tenant, request.query, after),
        find: (id) => findRedirect(tenant, id),
      });
    },
  });
};

const resolve = ({ tenants }: RedirectContext) =>
  route("GET /v1/redirects/resolve", {
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
    handle: async ({ principal, query }) => {
      const redirect = await findRedirectFrom(tenants.of(principal.tenantId), query.path);
      if (redirect === null) throw notFound("redirect from this path");
      return ok(redirect);
    },
  });

const read = ({ tenants }: RedirectContext) =>
  route("GET /v1/redirects/:id", {
    ...READ,
    about: {
      id: "getRedirect",
      tag,
      summary: "Get a redirect",
      responses: { 200: data(redirect) },
      etag: true,
    },
    handle: async ({ principal, id }) => {
      const redirect = required(await findRedirect(tenants.of(principal.tenantId), id), "redirect");
      return ok(redirect, { etag: etagOf(redirect.version) });
    },
  });

const remove = ({ tenants, onCommit }: RedirectContext) =>
  route("DELETE /v1/redirects/:id", {
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
        const before = required(await findRedirect(tenant, id), "redirect");
        requireMatch(ifMatch, before.version);
      }
      const isDeleted = await deleteRedirect(tenant, id, withoutQuota(request));
      if (!isDeleted) throw notFound("redirect");
      onCommit();
      return ok({ id, deleted: true });
    },
  });

export const redirectRoutes = [create, createMany, list, exportAll, resolve, read, remove];
