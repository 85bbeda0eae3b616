import { describe, expect, test } from "@jest/globals";
import {
  type About,
  bareJson,
  data,
  feed,
  file,
  ok,
  page,
  pageQuery,
  type Route,
  shaped,
} from "@tradepost/http";
import { z } from "zod";
import { openApiDocument } from "./document.ts";
import type { Example } from "./operation.ts";

const thing = z.strictObject({ id: z.uuid() }).meta({ id: "Thing", description: "A thing." });
const names = shaped(z.string(), z.array(z.string()).min(1))
  .optional()
  .describe("Names, separated by commas");

function row(method: Route["method"], path: string, about: Partial<About>, more: Partial<Route> = {}): Route {
  const summary = "Do it";
  return {
    method,
    path,
    module: "crm",
    role: "viewer",
    scope: "read:crm",
    ...more,
    about: { id: `${method} ${path}`, tag: "Orders", summary, responses: { 200: data(thing) }, ...about },
    handle: () => ok(null),
  };
}

interface Operation {
  readonly parameters: readonly object[];
  readonly requestBody: {
    readonly required: boolean;
    readonly content: Record<string, { example?: unknown }>;
  };
  readonly responses: Record<
    string,
    { headers: object; content: Record<string, { schema: object; example?: unknown }> }
  >;
}

const documentOf = (routes: Route[], examples: Record<string, Example> = {}) =>
  openApiDocument(routes, examples, "1.2.3") as unknown as {
    readonly info: { readonly version: string };
    readonly paths: Record<string, Record<string, Operation>>;
    readonly components: { readonly schemas: object; readonly parameters: object };
    readonly webhooks: object;
    readonly tags: readonly { name: string }[];
  };
/** Returns the only operation of a document with one route. */
function operationOf(one: Route, examples: Record<string, Example> = {}): Operation {
  const [operation] = Object.values(documentOf([one], examples).paths).flatMap((paths) =>
    Object.values(paths),
  );
  if (operation === undefined) throw new Error("no operation");
  return operation;
}

describe("the document", () => {
  test("has every route by path and method, and the schemas that they share", () => {
    const document = documentOf([
      row("GET", "/v1/things/:id", {}),
      row("DELETE", "/v1/things/:id", {}),
      row("GET", "/v1/things", { responses: { 200: page(thing) } }),
    ]);
    expect(Object.entries(document.paths).map(([path, methods]) => [path, Object.keys(methods)])).toEqual([
      ["/v1/things/{id}", ["get", "delete"]],
      ["/v1/things", ["get"]],
    ]);
    expect(document.components.schemas).toMatchObject({
      Thing: { type: "object" },
      Page: {},
      FieldFaults: {},
    });
    expect(document.info.version).toBe("1.2.3");
    expect(Object.keys(document.webhooks)).toContain("redirect.added");
    expect(document.tags[0]?.name).toBe("Orders");
  });

  test("is the same text for the same tables", () => {
    const routes = [row("GET", "/v1/things/:id", {}), row("POST", "/v1/things", {}, { isIdempotent: true })];
    expect(JSON.stringify(documentOf(routes))).toBe(JSON.stringify(documentOf(routes)));
  });

  test("refuses a route without a description, and two operations with one id", () => {
    const undescribed = { ...row("GET", "/v1/things", {}), about: null };
    expect(() => documentOf([undescribed])).toThrow("GET /v1/things has no description");
    const twins = [row("GET", "/v1/a", { id: "same" }), row("GET", "/v1/b", { id: "same" })];
    expect(() => documentOf(twins)).toThrow("two operations have the id same");
  });
});

describe("an operation", () => {
  test("says who may use it", () => {
    const one = row(
      "POST",
      "/v1/things",
      { description: "Makes it." },
      { role: "editor", scope: "write:crm" },
    );
    expect(operationOf(one)).toMatchObject({
      operationId: "POST /v1/things",
      tags: ["Orders"],
      summary: "Do it",
      description:
        "Makes it.\n\nNeeds the role `editor` or a higher one, for an API key the scope `write:crm` and the module `crm`.",
      "x-tradepost-role": "editor",
      "x-tradepost-scope": "write:crm",
      "x-tradepost-module": "crm",
    });
    const open = operationOf(row("POST", "/v1/login", {}, { role: "anyone", module: null, scope: null }));
    expect(open).toMatchObject({ security: [], description: "Needs no authentication." });
    expect(open.responses["401"]).toBeUndefined();
  });

  test("has the parameters of the path, the query and the headers", () => {
    const query = z.strictObject({ ...pageQuery, names });
    const about = { params: { name: z.enum(["a", "b"]) }, etag: true } as const;
    const one = row("GET", "/v1/things/:id/parts/:name", about, { query });
    expect(operationOf(one).parameters).toEqual([
      expect.objectContaining({
        name: "id",
        in: "path",
        required: true,
        example: expect.stringMatching(/^[0-9a-f-]{36}$/),
        schema: { type: "string", format: "uuid" },
      }),
      {
        name: "name",
        in: "path",
        required: true,
        example: "a",
        schema: { type: "string", enum: ["a", "b"] },
      },
      expect.objectContaining({
        name: "limit",
        in: "query",
        required: false,
        example: 25,
        schema: { type: "integer", minimum: 1, maximum: 100, default: 25 },
      }),
      expect.objectContaining({ name: "cursor", in: "query", required: false }),
      {
        name: "names",
        in: "query",
        required: false,
        description: "Names, separated by commas",
        style: "form",
        explode: false,
        schema: { type: "array", items: { type: "string" }, minItems: 1 },
      },
      expect.objectContaining({ name: "If-None-Match", in: "header" }),
    ]);
    const action = row("POST", "/v1/things/:id/act", { ifMatch: true }, { isIdempotent: true });
    expect(operationOf(action).parameters.slice(1)).toEqual([
      expect.objectContaining({ name: "Idempotency-Key", in: "header", required: false }),
      expect.objectContaining({ name: "If-Match", in: "header", required: false, example: "*" }),
    ]);
  });

  test("has its body, which may be missing if the row says so", () => {
    const body = z.strictObject({ name: z.string() });
    expect(operationOf(row("POST", "/v1/things", {}, { body })).requestBody).toMatchObject({
      required: true,
      content: { "application/json": { schema: { required: ["name"], additionalProperties: false } } },
    });
    const optional = row("POST", "/v1/things", {}, { body, bodyIsOptional: true });
    expect(operationOf(optional).requestBody.required).toBe(false);
    const form = { mediaType: "multipart/form-data", schema: z.strictObject({ file: z.file() }) };
    expect(Object.keys(operationOf(row("POST", "/v1/things", { form })).requestBody.content)).toEqual([
      "multipart/form-data",
    ]);
  });

  test("needs a schema of a body that a function validates", () => {
    const read = row("POST", "/v1/things", { id: "makeThing" }, { body: (json) => json });
    expect(() => operationOf(read)).toThrow("makeThing has a body that only a function knows");
    const described = row("POST", "/v1/things", { body: z.strictObject({}) }, { body: (json) => json });
    expect(operationOf(described).requestBody.content).toHaveProperty("application/json");
  });

  test("wraps its data like the responses of the API", () => {
    const ref = { $ref: "#/components/schemas/Thing" };
    const schemaOf = (responses: About["responses"]) =>
      operationOf(row("GET", "/v1/things", { responses })).responses[200]?.content["application/json"]
        ?.schema;
    const success = { type: "boolean", const: true };
    expect(schemaOf({ 200: data(thing) })).toMatchObject({
      properties: { success, data: ref },
      required: ["success", "data"],
    });
    expect(schemaOf({ 200: page(thing) })).toMatchObject({
      properties: { data: { type: "array", items: ref }, page: { $ref: "#/components/schemas/Page" } },
    });
    expect(schemaOf({ 200: feed(thing) })).toMatchObject({
      properties: { data: { items: ref }, page: { $ref: "#/components/schemas/FeedPage" } },
    });
    expect(schemaOf({ 200: bareJson(thing) })).toEqual(ref);
  });

  test("may respond with a file, which has no example", () => {
    const one = row("GET", "/v1/things/:id/file", { id: "getFile", responses: { 200: file("image/*") } });
    const { content } = operationOf(one, { getFile: { status: 200, response: {} } }).responses[200] ?? {};
    expect(content).toEqual({ "image/*": { schema: { type: "string", format: "binary" } } });
  });

  test("has the headers of its successes", () => {
    const about = { etag: true, location: true, responses: { 200: data(thing), 201: data(thing) } } as const;
    const { responses } = operationOf(row("PUT", "/v1/things", about, { isIdempotent: true }));
    const limits = [
      "RateLimit",
      "RateLimit-Policy",
      "RateLimit-Limit",
      "RateLimit-Remaining",
      "RateLimit-Reset",
    ];
    const common = ["X-Request-Id", ...limits, "ETag"];
    expect(Object.keys(responses[200]?.headers ?? {})).toEqual([...common, "Idempotent-Replayed"]);
    expect(Object.keys(responses[201]?.headers ?? {})).toEqual([
      ...common,
      "Location",
      "Idempotent-Replayed",
    ]);
  });

  test("may be 304 only if it reads something with an ETag", () => {
    const statusesOf = (one: Route) => Object.keys(operationOf(one).responses);
    expect(statusesOf(row("GET", "/v1/things/:id", { etag: true }))).toContain("304");
    expect(statusesOf(row("GET", "/v1/things/:id", { etag: true, ignoresIfNoneMatch: true }))).not.toContain(
      "304",
    );
    expect(statusesOf(row("PATCH", "/v1/things/:id", { etag: true }))).not.toContain("304");
  });

  test("has its recorded example", () => {
    const one = row(
      "POST",
      "/v1/things",
      { id: "makeThing", responses: { 201: data(thing) } },
      { body: z.strictObject({}) },
    );
    const example = { request: { a: 1 }, status: 201, response: { success: true } };
    const { requestBody, responses } = operationOf(one, { makeThing: example });
    expect(requestBody.content["application/json"]?.example).toEqual({ a: 1 });
    expect(responses[201]?.content["application/json"]?.example).toEqual({ success: true });
  });
});
