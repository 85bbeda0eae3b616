// Each kind of change on its own: it is reported if a client may break, and not reported otherwise.
import { describe, expect, test } from "@jest/globals";
import { breakingChanges } from "./breaking-changes.ts";

type Json = Record<string, unknown>;

const object = (properties: Json, required: string[] = Object.keys(properties), more: Json = {}) => ({
  ...{ type: "object", properties, required, additionalProperties: false },
  ...more,
});

interface Parts {
  readonly request?: Json;
  readonly response?: Json;
  readonly parameters?: Json[];
  readonly operation?: Json;
  readonly components?: Json;
}

function documentOf({
  request,
  response = { type: "string" },
  parameters = [],
  operation = {},
  components = {},
}: Parts) {
  const body = request && { required: true, content: { "application/json": { schema: request } } };
  return {
    paths: {
      "/v1/orders": {
        post: {
          operationId: "placeOrder",
          parameters,
          ...(body && { requestBody: body }),
          responses: { 201: { content: { "application/json": { schema: response } } } },
          "x-tradepost-role": "editor",
          ...operation,
        },
      },
    },
    components,
  };
}

/** Returns the changes without the name of the operation. */
function changes(before: Parts, after: Parts): string[] {
  return breakingChanges(documentOf(before), documentOf(after)).map((line) => {
    expect(line).toMatch(/^POST \/v1\/orders: /);
    return line.replace("POST /v1/orders: ", "");
  });
}

const text = { type: "string" };
const whole = { type: "integer" };
const status = (...values: string[]) => object({ status: { type: "string", enum: values } });

describe("a change of a request", () => {
  test.each<[string, Json, Json, string[]]>([
    [
      "a field that becomes required",
      object({ a: text }, []),
      object({ a: text }),
      ['the request field "a" is now required'],
    ],
    ["a new required field", object({}), object({ a: text }), ['the request field "a" is now required']],
    ["a new optional field", object({}), object({ a: text }, []), []],
    [
      "a field that is removed",
      object({ a: text }, []),
      object({}),
      ['the request field "a" is no longer accepted'],
    ],
    ["a field that becomes optional", object({ a: text }), object({ a: text }, []), []],
    [
      "another type",
      object({ a: text }),
      object({ a: whole }),
      ['the request field "a" no longer accepts the type string'],
    ],
    [
      "a null that is refused",
      object({ a: { type: ["string", "null"] } }),
      object({ a: text }),
      ['the request field "a" no longer accepts the type null'],
    ],
    ["a null that is accepted", object({ a: text }), object({ a: { type: ["string", "null"] } }), []],
    ["a whole number that may be any", object({ a: whole }), object({ a: { type: "number" } }), []],
    [
      "a value that is refused",
      status("a", "b"),
      status("a"),
      ['the request field "status" no longer accepts "b"'],
    ],
    ["a value that is accepted", status("a"), status("a", "b"), []],
    [
      "values that are listed now",
      object({ status: text }),
      status("a"),
      ['the request field "status" no longer accepts other values than "a"'],
    ],
    [
      "another constant",
      object({ a: { const: 1 } }),
      object({ a: { const: 2 } }),
      ['the request field "a" no longer accepts 1'],
    ],
    [
      "a lower limit",
      object({ a: { type: "string", maxLength: 9 } }),
      object({ a: { type: "string", maxLength: 8 } }),
      ['the request field "a" now has maxLength 8'],
    ],
    [
      "a new limit",
      object({ a: text }),
      object({ a: { type: "string", minLength: 1 } }),
      ['the request field "a" now has minLength 1'],
    ],
    [
      "a higher limit",
      object({ a: { type: "string", maxLength: 8 } }),
      object({ a: { type: "string", maxLength: 9 } }),
      [],
    ],
    [
      "a pattern",
      object({ a: text }),
      object({ a: { type: "string", pattern: "^a" } }),
      ['the request field "a" now has pattern "^a"'],
    ],
    [
      "a format",
      object({ a: text }),
      object({ a: { type: "string", format: "uuid" } }),
      ['the request field "a" now has format "uuid"'],
    ],
    [
      "fields that are refused if not listed",
      object({}, [], { additionalProperties: {} }),
      object({}),
      ["the request no longer accepts fields that are not listed"],
    ],
    [
      "items of a list",
      object({ a: { type: "array", items: object({ b: text }, []) } }),
      object({ a: { type: "array", items: object({ b: text }) } }),
      ['the request field "a[].b" is now required'],
    ],
    [
      "an alternative that is refused",
      object({ a: { anyOf: [text, object({ b: text })] } }),
      object({ a: { anyOf: [text, whole] } }),
      ['the request field "a" no longer accepts the type object'],
    ],
    ["a new alternative", object({ a: { anyOf: [text] } }), object({ a: { anyOf: [text, whole] } }), []],
  ])("%s", (_what, before, after, expected) => {
    expect(changes({ request: before }, { request: after })).toEqual(expected);
  });

  test("one of several objects that differs in several ways", () => {
    const either = (...fields: string[]) => ({
      anyOf: [object({ id: text }), object(Object.fromEntries(fields.map((name) => [name, text])))],
    });
    expect(changes({ request: either("a", "b", "c") }, { request: either("d", "e", "f") })).toEqual([
      "the request no longer accepts the alternative object",
    ]);
  });

  test("the only object among the alternatives, field by field", () => {
    const nullable = (...fields: string[]) => ({
      anyOf: [{ type: "null" }, object(Object.fromEntries(fields.map((name) => [name, text])))],
    });
    expect(changes({ response: nullable("a", "b", "c") }, { response: nullable("c") })).toEqual([
      'the response 201 field "a" is removed',
      'the response 201 field "b" is removed',
    ]);
  });

  test("an alternative with a constant of its own, field by field", () => {
    const either = (made: string[], refused: string[]) => ({
      oneOf: [
        object({ ok: { const: true }, ...Object.fromEntries(made.map((name) => [name, text])) }),
        object({ ok: { const: false }, ...Object.fromEntries(refused.map((name) => [name, text])) }),
      ],
    });
    const [before, after] = [either(["a", "b", "c"], ["d"]), either(["c"], ["d"])];
    expect(changes({ response: before }, { response: after })).toEqual([
      'the response 201 field "a" is removed',
      'the response 201 field "b" is removed',
    ]);
    expect(changes({ request: after }, { request: before })).toEqual([
      'the request field "a" is now required',
      'the request field "b" is now required',
    ]);
  });

  test("a body that becomes required, and one that is removed", () => {
    expect(changes({}, { request: object({}) })).toEqual(["a body is now required"]);
    expect(changes({ request: object({}) }, {})).toEqual([
      "a body of the type application/json is no longer accepted",
    ]);
  });

  test("parameters", () => {
    const query = (name: string, more: Json = {}) => ({ name, in: "query", schema: text, ...more });
    expect(changes({ parameters: [query("a")] }, {})).toEqual(['the query parameter "a" is removed']);
    expect(changes({}, { parameters: [query("a")] })).toEqual([]);
    const required = ['the query parameter "a" is now required'];
    expect(changes({}, { parameters: [query("a", { required: true })] })).toEqual(required);
    expect(changes({ parameters: [query("a")] }, { parameters: [query("a", { required: true })] })).toEqual(
      required,
    );
    expect(
      changes({ parameters: [query("a")] }, { parameters: [query("a", { schema: { enum: ["x"] } })] }),
    ).toEqual(['the query parameter "a" no longer accepts other values than "x"']);
    const list = query("a", { style: "form", explode: false });
    expect(changes({ parameters: [list] }, { parameters: [query("a")] })).toEqual([
      'the query parameter "a" is now written in another way',
    ]);
    expect(changes({ parameters: [query("a")] }, { parameters: [query("a", { explode: true })] })).toEqual(
      [],
    );
  });

  test("what it means to leave a value out", () => {
    const limit = (more: Json) => [{ name: "limit", in: "query", schema: { type: "integer", ...more } }];
    const to = (more: Json) => changes({ parameters: limit({ default: 25 }) }, { parameters: limit(more) });
    expect(to({ default: 25 })).toEqual([]);
    expect(to({ default: 10 })).toEqual(['the query parameter "limit" now has default 10']);
    expect(to({})).toEqual(['the query parameter "limit" now has no default']);
    expect(changes({ parameters: limit({}) }, { parameters: limit({ default: 25 }) })).toEqual([]);
  });

  test("names of fields that are chosen by the caller", () => {
    const named = (length: number) => ({
      request: object({
        metadata: object({}, [], {
          propertyNames: { type: "string", maxLength: length },
          additionalProperties: text,
        }),
      }),
    });
    expect(changes(named(64), named(32))).toEqual([
      'the request field "metadata.(name)" now has maxLength 32',
    ]);
    expect(changes(named(32), named(64))).toEqual([]);
  });
});

describe("a change of a response", () => {
  test.each<[string, Json, Json, string[]]>([
    ["a field that is removed", object({ a: text }), object({}), ['the response 201 field "a" is removed']],
    [
      "an optional field that is removed",
      object({ a: text }, []),
      object({}),
      ['the response 201 field "a" is removed'],
    ],
    ["a new field", object({}), object({ a: text }), []],
    [
      "a field that may be missing",
      object({ a: text }),
      object({ a: text }, []),
      ['the response 201 field "a" may now be missing'],
    ],
    [
      "a field that may be null",
      object({ a: text }),
      object({ a: { type: ["string", "null"] } }),
      ['the response 201 field "a" may now be of the type null'],
    ],
    [
      "a field that is never null any more",
      object({ a: { type: ["string", "null"] } }),
      object({ a: text }),
      [],
    ],
    [
      "a number that may be a fraction",
      object({ a: whole }),
      object({ a: { type: "number" } }),
      ['the response 201 field "a" may now be of the type number'],
    ],
    ["a new value", status("a"), status("a", "b"), ['the response 201 field "status" may now be "b"']],
    ["a value that does not occur any more", status("a", "b"), status("a"), []],
    [
      "values that are not listed any more",
      status("a"),
      object({ status: text }),
      ['the response 201 field "status" may now be other values than "a"'],
    ],
    [
      "a format that is dropped",
      object({ a: { type: "string", format: "uuid" } }),
      object({ a: text }),
      ['the response 201 field "a" no longer has format "uuid"'],
    ],
    [
      "a higher limit",
      object({ a: { type: "string", maxLength: 8 } }),
      object({ a: { type: "string", maxLength: 9 } }),
      [],
    ],
    [
      "a new error code",
      object({ error: object({ code: { enum: ["a"] } }) }),
      object({ error: object({ code: { enum: ["a", "b"] } }) }),
      [],
    ],
    [
      "a new alternative",
      object({ a: { anyOf: [text, whole] } }),
      object({ a: { anyOf: [text, whole, object({ b: text })] } }),
      ['the response 201 field "a" may now be of the type object'],
    ],
  ])("%s", (_what, before, after, expected) => {
    expect(changes({ response: before }, { response: after })).toEqual(expected);
  });

  test("a status that is replaced, and an error that does not occur any more", () => {
    const responses = (...statuses: number[]) => ({
      operation: { responses: Object.fromEntries(statuses.map((one) => [one, {}])) },
    });
    expect(changes(responses(200, 409), responses(202))).toEqual(["the response 200 is removed"]);
  });

  test("a header that is no longer sent", () => {
    const sending = (...names: string[]) => ({
      operation: { responses: { 201: { headers: Object.fromEntries(names.map((name) => [name, {}])) } } },
    });
    expect(changes(sending("ETag", "Location"), sending("etag"))).toEqual([
      'the response 201 no longer has the header "Location"',
    ]);
    expect(changes(sending("ETag"), sending("ETag", "Location"))).toEqual([]);
  });

  test("a header that errors share", () => {
    const parts = (headers: Json) => ({
      operation: { responses: { 503: { $ref: "#/components/responses/Busy" } } },
      components: { responses: { Busy: { headers } } },
    });
    expect(changes(parts({ "Retry-After": {} }), parts({}))).toEqual([
      'the response 503 no longer has the header "Retry-After"',
    ]);
  });

  test("schemas that the document shares, also ones that contain themselves", () => {
    const parts = (fields: Json): Parts => ({
      response: { $ref: "#/components/schemas/Node" },
      components: {
        schemas: {
          Node: object({
            ...fields,
            next: { anyOf: [{ $ref: "#/components/schemas/Node" }, { type: "null" }] },
          }),
        },
      },
    });
    expect(changes(parts({ a: text }), parts({ a: text }))).toEqual([]);
    expect(changes(parts({ a: text }), parts({}))[0]).toBe('the response 201 field "a" is removed');
  });
});

describe("a change of an operation", () => {
  test.each<[string, Json, Json, string[]]>([
    ["another id", {}, { operationId: "createOrder" }, ["the operation id is now createOrder"]],
    ["a higher role", {}, { "x-tradepost-role": "admin" }, ["now needs the role admin"]],
    ["a lower role", {}, { "x-tradepost-role": "viewer" }, []],
    ["a scope", {}, { "x-tradepost-scope": "write:crm" }, ["now needs the scope write:crm"]],
    ["a module", {}, { "x-tradepost-module": "crm" }, ["now needs the module crm"]],
    ["users only", {}, { "x-tradepost-users-only": true }, ["API keys are no longer accepted"]],
    ["a credential", { security: [] }, { security: [{ bearer: [] }] }, ["now needs a credential"]],
    ["no credential any more", { security: [{ bearer: [] }] }, { security: [] }, []],
    [
      "another credential",
      { security: [{ bearer: [] }] },
      { security: [{ basic: [] }, { cookie: [] }] },
      ["no longer accepts the credential bearer"],
    ],
    [
      "a further credential",
      { security: [{ bearer: [] }] },
      { security: [{ bearer: [] }, { basic: [] }] },
      [],
    ],
    ["another summary", { summary: "a" }, { summary: "b" }, []],
  ])("%s", (_what, before, after, expected) => {
    expect(changes({ operation: before }, { operation: after })).toEqual(expected);
  });

  test("a credential that the whole document now needs", () => {
    const needing = { ...documentOf({}), security: [{ bearer: [] }] };
    expect(breakingChanges(documentOf({}), needing)).toEqual(["POST /v1/orders: now needs a credential"]);
    expect(breakingChanges(needing, documentOf({}))).toEqual([]);
  });

  test("its removal, and a new one", () => {
    const empty = { paths: {} };
    expect(breakingChanges(documentOf({}), empty)).toEqual(["POST /v1/orders: is removed"]);
    expect(breakingChanges(empty, documentOf({}))).toEqual([]);
  });
});

test("a change of an event breaks its receivers", () => {
  const documentWith = (schema: Json) => ({
    paths: {},
    webhooks: {
      "order.placed": {
        post: {
          operationId: "x",
          responses: {},
          requestBody: { content: { "application/json": { schema } } },
        },
      },
    },
  });
  expect(breakingChanges(documentWith(object({ a: text })), documentWith(object({})))).toEqual([
    'POST order.placed: the event field "a" is removed',
  ]);
});

test("a header that an event no longer has breaks its receivers", () => {
  const documentWith = (...names: string[]) => ({
    paths: {},
    webhooks: {
      "order.placed": {
        post: {
          operationId: "x",
          responses: {},
          parameters: names.map((name) => ({ $ref: `#/components/parameters/${name}` })),
        },
      },
    },
    components: {
      parameters: Object.fromEntries(names.map((name) => [name, { name, in: "header", required: true }])),
    },
  });
  expect(
    breakingChanges(documentWith("webhook-id", "webhook-signature"), documentWith("webhook-id")),
  ).toEqual(['POST order.placed: the event no longer has the header "webhook-signature"']);
});
