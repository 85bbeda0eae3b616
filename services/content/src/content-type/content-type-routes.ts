// The routes of content types (interface §5).
import { contentType } from "@tradepost/event-catalog";
import {
  type ApiRequest,
  created,
  cursorPage,
  data,
  etagOf,
  type FieldFault,
  listed,
  notFound,
  ok,
  page,
  pageOnly,
  route,
} from "@tradepost/http";
import type { TenantDatabases } from "@tradepost/postgres";
import { z } from "zod";
import { type DeferredBody, deferred, READ, WRITE } from "../route-parts.ts";
import type { Tables } from "../tables.ts";
import {
  type ContentTypeInput,
  contentTypeInput,
  isTypeSlug,
  repeatedKeys,
  slugFault,
  typeSlug,
} from "./content-type-input.ts";
import { findContentType, listContentTypes } from "./content-type-store.ts";
import { upsertContentType } from "./upsert-content-type.ts";

export interface ContentTypeContext {
  readonly tenants: TenantDatabases<Tables>;
  readonly onCommit: () => void;
}

const tag = "Content types";
const put = ({ tenants, onCommit }: ContentTypeContext) =>
  route("PUT /v1/content-types/:slug", {
    ...WRITE,
    role: "admin",
    body: deferred(contentTypeInput),
    about: {
      id: "putContentType",
      tag,
      summary: "Create a content type or change its fields",
      description:
        "201 if the slug is new. A change that would make an existing entry invalid is refused. A PUT that changes nothing leaves the version and emits no event. With `If-Match` it only changes a type: if there is none with this slug, it is 412.",
      params: {
        slug: typeSlug.describe("The slug: 1 to 64 lower-case letters, digits and single hyphens."),
      },
      body: contentTypeInput,
      responses: { 200: data(contentType), 201: data(contentType) },
      location: true,
      errors: ["content_type_in_use"],
      etag: true,
      ifMatch: true,
      emits: ["content_type.upserted"],
    },
    handle: async (request: ApiRequest<DeferredBody<ContentTypeInput>, undefined>) => {
      const { body, params, principal } = request;
      const slug = params.slug ?? "";
      const slugFaults: FieldFault[] = isTypeSlug(slug) ? [] : [{ path: "slug", message: slugFault }];
      const input = body.validate([...slugFaults, ...repeatedKeys(body.json)]);
      const tenant = tenants.of(principal.tenantId);
      const ifMatch = request.raw.headers["if-match"];
      const { contentType, isNew } = await upsertContentType(tenant, slug, input, {
        cause: request,
        ifMatch,
      });
      onCommit();
      const headers = { etag: etagOf(contentType.version) };
      return isNew ? created(contentType, `/v1/content-types/${slug}`, headers) : ok(contentType, headers);
    },
  });

const list = ({ tenants }: ContentTypeContext) =>
  route("GET /v1/content-types", {
    ...READ,
    query: pageOnly,
    about: {
      id: "listContentTypes",
      tag,
      summary: "List content types, newest first",
      responses: { 200: page(contentType) },
    },
    handle: async ({ principal, query }) => {
      const rows = await listContentTypes(tenants.of(principal.tenantId), query);
      return listed(cursorPage(rows, query.limit, { shown: ({ contentType }) => contentType }));
    },
  });

const read = ({ tenants }: ContentTypeContext) =>
  route("GET /v1/content-types/:slug", {
    ...READ,
    about: {
      id: "getContentType",
      tag,
      summary: "Get a content type",
      params: { slug: z.string().describe("The slug.") },
      responses: { 200: data(contentType) },
      etag: true,
    },
    handle: async ({ principal, params }) => {
      const contentType = await findContentType(tenants.of(principal.tenantId), params.slug ?? "");
      if (contentType === null) throw notFound("content type");
      return ok(contentType, { etag: etagOf(contentType.version) });
    },
  });

export const contentTypeRoutes = [put, list, read];
