// Builds an operation of the document from a route (interface §11). Pure.
import type { About, ResponseShape, Route } from "@tradepost/http";
import { z } from "zod";
import type { DescribedRoute } from "./described-route.ts";
import { isOpen } from "./described-route.ts";
import { type Components, type JsonSchema, jsonSchemaOf, objectOf } from "./json-schema.ts";
import { failuresOf, headersNamed, RATE_LIMIT_HEADERS, type Responses } from "./responses.ts";

export interface Example {
  readonly request?: unknown;
  readonly status: number;
  readonly response: unknown;
}

export interface Shared {
  readonly schemas: Components;
  readonly responses: Responses;
}

/**
 * Schemas and responses that operations share go into `shared`. @throws an Error for a body without a schema, and for two
 * different schemas with the same id.
 */
export function operationOf(row: DescribedRoute, shared: Shared, example?: Example): Record<string, unknown> {
  const { about } = row;
  const { schemas: components } = shared;
  return {
    operationId: about.id,
    tags: [about.tag],
    summary: about.summary,
    description: descriptionOf(row, about),
    ...(isOpen(row, about) && { security: [] }),
    parameters: [
      ...pathParameters(row.path, about, components),
      ...queryParameters(row, components),
      ...headerParameters(row, about),
    ],
    ...requestBodyOf(row, about, components, example),
    responses: {
      ...Object.fromEntries(
        Object.entries(about.responses).map(([status, shape]) => [
          status,
          successOf(Number(status), shape, row, components, example),
        ]),
      ),
      ...(isConditional(row, about) && { 304: { description: "Not modified: the ETag matches." } }),
      ...failuresOf(row, shared),
    },
    "x-tradepost-role": row.role,
    ...(row.scope !== null && { "x-tradepost-scope": row.scope }),
    ...(row.module !== null && { "x-tradepost-module": row.module }),
    ...(row.usersOnly && { "x-tradepost-users-only": true }),
    ...(about.emits && { "x-tradepost-emits": about.emits }),
  };
}

function descriptionOf(row: Route, about: About): string {
  const needs = isOpen(row, about) ? [] : needsOf(row);
  const who = needs.length === 0 ? "Needs no authentication." : `Needs ${listOf(needs)}.`;
  return about.description === undefined ? who : `${about.description}\n\n${who}`;
}

function needsOf(row: Route): string[] {
  // API keys have the role editor, so routes for higher roles are for users.
  const isForUsers = row.usersOnly === true || row.role === "admin" || row.role === "owner";
  const orHigher = row.role === "owner" ? "" : " or a higher one";
  return [
    isForUsers && "a dashboard token",
    `the role \`${row.role}\`${orHigher}`,
    !isForUsers && row.scope !== null && `for an API key the scope \`${[row.scope].flat().join("` or `")}\``,
    row.module !== null && `the module \`${row.module}\``,
  ].filter((need) => typeof need === "string");
}

function listOf(parts: readonly string[]): string {
  return parts.length < 2 ? parts.join("") : `${parts.slice(0, -1).join(", ")} and ${parts.at(-1)}`;
}

/** `/v1/orders/:id` becomes `/v1/orders/{id}`. */
export function pathOf(path: string): string {
  return path.replaceAll(/:(\w+)/g, "{$1}");
}

function pathParameters(path: string, { params = {} }: About, components: Components) {
  return [...path.matchAll(/:(\w+)/g)].map(([, name = ""]) => {
    const schema = params[name] ?? paramOf(path, name);
    const { description, ...converted } = jsonSchemaOf(schema, "input", components);
    return {
      name,
      in: "path",
      required: true,
      ...(description !== undefined && { description }),
      ...exampleOf(name, converted),
      schema: converted,
    };
  });
}

/** Returns the schema of a path parameter. By default it is a name, or the id of a resource that the path names before it. */
function paramOf(path: string, name: string): z.ZodType {
  if (!/^id$|Id$/.test(name)) return z.string();
  const [, resources = ""] = new RegExp(`([a-z-]+)/:${name}(?:/|$)`).exec(path) ?? [];
  return z.uuid().describe(`An id of \`${path.slice(0, path.indexOf(resources))}${resources}\``);
}

function queryParameters({ query }: Route, components: Components) {
  if (query === undefined) return [];
  const { properties = {}, required = [] } = jsonSchemaOf(query, "input", components) as {
    properties?: Record<string, JsonSchema>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, { description, ...schema }]) => ({
    name,
    in: "query",
    required: required.includes(name),
    ...(description !== undefined && { description }),
    // Lists are separated by commas.
    ...(schema.type === "array" && { style: "form", explode: false }),
    ...exampleOf(name, schema),
    schema,
  }));
}

/**
 * Returns a value that every operation with the parameter accepts, so that a request made from the document works. A cursor is
 * valid for one list, an `Idempotency-Key` for one request and a signature for one link, so these have no example.
 */
function exampleOf(name: string, schema: JsonSchema): { example?: unknown } {
  const example =
    (schema.format === "date-time" ? TIMES[name] : undefined) ?? exampleOfType(schema) ?? EXAMPLES[name];
  return example === undefined ? {} : { example };
}

/** The end of a period must be after its start. */
const TIMES: Readonly<Record<string, string>> = { to: "2026-08-27T09:30:00Z" };

const EXAMPLES: Readonly<Record<string, unknown>> = {
  action: "order.refunded",
  actorId: "0198c5a2-0000-7000-8000-000000000001",
  after: "now",
  customerId: "0198c5a2-0000-7000-8000-000000000004",
  day: "2026-08-20",
  email: "ada@example.com",
  externalId: "c-204",
  from: "/old shop",
  hour: "2026-08-20T09",
  keyId: "0198c5a2-0000-7000-8000-000000000001",
  locale: "en",
  n: 1,
  orderNumber: "1001",
  path: "/old shop",
  propertyId: "lisbon",
  route: "/v1/orders/:id",
  search: "ada",
  sku: "MUG-BLUE",
  slug: "article",
  targetId: "0198c5a2-0000-7000-8000-000000000001",
  type: "article",
  variant: "thumbnail",
  "If-Match": "*",
  "If-None-Match": '"0"',
  "If-Range": '"0"',
  Range: "bytes=0-1023",
};

function exampleOfType({ type, format, items, default: preset, minimum, enum: values }: JsonSchema): unknown {
  if (preset !== undefined) return preset;
  if (Array.isArray(values)) return values[0];
  if (format === "uuid") return "0198c5a2-0000-7000-8000-000000000001";
  if (format === "date-time") return "2026-08-20T09:30:00Z";
  if (type === "integer") return minimum;
  if (type !== "array") return undefined;
  const item = exampleOfType(items as JsonSchema);
  return item === undefined ? undefined : [item];
}

function isConditional({ method }: Route, { etag, ignoresIfNoneMatch }: About): boolean {
  return method === "GET" && etag === true && !ignoresIfNoneMatch;
}

function headerParameters(row: Route, about: About) {
  const described: Record<string, string> = {
    ...(row.isIdempotent && {
      "Idempotency-Key":
        "Chosen by the caller, for one request. For 24 hours, the same request with the same key gets the first response again, with `Idempotent-Replayed: true`; another body is 422 `idempotency_key_reused`.",
    }),
    ...(about.ifMatch && {
      "If-Match":
        "The `ETag` of the version that is to be changed, a list of several, or `*`. Another version is 412 `version_mismatch`; a weak or malformed tag is 422.",
    }),
    ...(isConditional(row, about) && {
      "If-None-Match": "An `ETag`. While it is the current one, the response is 304.",
    }),
    ...about.headers,
  };
  return Object.entries(described).map(([name, description]) => ({
    name,
    in: "header",
    required: false,
    description,
    ...exampleOf(name, {}),
    schema: name === "Idempotency-Key" ? IDEMPOTENCY_KEY : { type: "string" },
  }));
}

const IDEMPOTENCY_KEY = { type: "string", minLength: 1, maxLength: 255, pattern: "^[\\x21-\\x7e]+$" };

function requestBodyOf(row: Route, about: About, components: Components, example?: Example) {
  if (about.form !== undefined) {
    const schema = jsonSchemaOf(about.form.schema, "input", components);
    return { requestBody: { required: true, content: { [about.form.mediaType]: { schema } } } };
  }
  const body = about.body ?? (row.body instanceof z.ZodType ? row.body : undefined);
  if (body === undefined && row.body !== undefined) {
    throw new Error(`${about.id} has a body that only a function knows: its description needs a schema`);
  }
  if (body === undefined) return {};
  const schema = jsonSchemaOf(body, row.method === "POST" ? "new" : "input", components);
  const content = {
    schema,
    ...(example?.request !== undefined && { example: example.request }),
  };
  const patch = row.method === "PATCH" && { "application/merge-patch+json": { schema } };
  return {
    requestBody: { required: !row.bodyIsOptional, content: { "application/json": content, ...patch } },
  };
}

function successOf(
  status: number,
  shape: ResponseShape,
  row: DescribedRoute,
  components: Components,
  example?: Example,
) {
  const { about } = row;
  const headers = headersNamed(
    "X-Request-Id",
    ...(isOpen(row, about) ? [] : RATE_LIMIT_HEADERS),
    shape.kind === "page" && "Link",
    about.etag && "ETag",
    ((about.location && status === 201) || shape.kind === "redirect") && "Location",
    row.isIdempotent && "Idempotent-Replayed",
    ...(shape.kind === "file" ? ["Accept-Ranges", "Content-Disposition"] : []),
    shape.kind === "file" && status === 206 && "Content-Range",
  );
  const description = STATUS_TEXTS[status] ?? "Success.";
  if (shape.kind === "redirect") return { description, headers };
  if (shape.kind === "file") {
    const schema = { type: "string", format: "binary" };
    const content = Object.fromEntries(shape.mediaTypes.map((mediaType) => [mediaType, { schema }]));
    return { description, headers, content };
  }
  const content = {
    schema: bodySchema(shape, components),
    ...(example?.status === status && !looksLikeSchemas(example.response) && { example: example.response }),
  };
  return { description, headers, content: { "application/json": content } };
}

/** Reports whether an example contains a list that linters mistake for schemas, whose examples would not match. */
function looksLikeSchemas(response: unknown): boolean {
  const { data } = (response ?? {}) as { readonly data?: unknown };
  return Array.isArray(data) && data.some((item) => "type" in item && "schema" in item && "example" in item);
}

const STATUS_TEXTS: Readonly<Record<number, string>> = {
  200: "Success.",
  201: "Created.",
  202: "Accepted: the work goes on.",
  206: "A part of the file.",
  302: "The browser goes on elsewhere.",
};

function bodySchema(
  shape: Exclude<ResponseShape, { kind: "file" | "redirect" }>,
  components: Components,
): JsonSchema {
  if (shape.kind === "json") return jsonSchemaOf(shape.schema, "output", components);
  const success = { type: "boolean", const: true };
  if (shape.kind === "data") {
    return objectOf({ success, data: jsonSchemaOf(shape.schema, "output", components) });
  }
  if (shape.kind === "feed") {
    return objectOf({
      success,
      data: { type: "array", items: jsonSchemaOf(shape.event, "output", components) },
      page: { $ref: "#/components/schemas/FeedPage" },
    });
  }
  const items = jsonSchemaOf(shape.item, "output", components);
  const nextCursor = z.string().nullable().describe("The cursor of the next page; null on the last.");
  const page =
    Object.keys(shape.more).length === 0
      ? { $ref: "#/components/schemas/Page" }
      : jsonSchemaOf(z.strictObject({ nextCursor, ...shape.more }), "output", components);
  return objectOf({ success, data: { type: "array", items }, page });
}
