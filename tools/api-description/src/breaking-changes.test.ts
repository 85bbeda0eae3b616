// A change is reported if a client may break, and not reported otherwise.
import { breakingChanges } from "./breaking-changes.ts";

type Json = Record<string, unknown>;

const object = (properties: Json, required = Object.keys(properties), more: Json = {}) => ({
  ...{ type: "object", properties, required, additionalProperties: false },
  ...more,
});
const text = { type: "string" };
const whole = { type: "integer" };
const [noText, someText] = [object({}), object({ a: text }, [])];
const [aText, nullableText] = [object({ a: text }), object({ a: { type: ["string", "null"] } })];
const field = (schema: Json) => object({ a: schema });
const uuid = field({ ...text, format: "uuid" });
const short = (maxLength: number) => field({ ...text, maxLength });
const byDefault = (value: number) => field({ ...whole, default: value });
const listOf = (items: Json) => field({ type: "array", items });
const ok = (is: boolean, more: Json = {}) => object({ ok: { const: is }, ...more });
const ofType = (type: string) => object({ type: { const: type } });
const failing = (...codes: string[]) => object({ error: object({ code: { enum: codes } }) });
const status = (...values: string[]) => field({ ...text, enum: values });
const choice = (...choices: Json[]) => field({ anyOf: choices });
const open = object({}, [], { additionalProperties: {} });
const named = (maxLength: number) =>
  object({}, [], { additionalProperties: text, propertyNames: { maxLength } });
const either = (more?: Json) => choice(ok(true, more), ok(false));
const events = (...types: string[]) => choice(...types.map(ofType));

function documentOf(operation: Json, components: Json = {}) {
  const content = (schema: Json) => ({ content: { "application/json": { schema } } });
  return {
    components,
    paths: {
      "/v1/orders": {
        post: {
          ...{ operationId: "placeOrder", "x-tradepost-role": "editor", ...operation },
          ...("request" in operation && {
            requestBody: { required: true, ...content(operation.request as Json) },
          }),
          responses: operation.responses ?? { 201: content((operation.response as Json) ?? text) },
        },
      },
    },
  };
}

/** Returns the changes without the name of the operation, separated by semicolons. */
function changes(before: object, after: object): string {
  const lines = breakingChanges(before, after).map((line) => line.replace("POST /v1/orders, ", ""));
  return lines.join("; ");
}

const at = (place: string, expected: string) =>
  expected.replace(/(^|; )(?=.)/g, `$1${place} application/json `);

test.each<[string, Json, Json, string?]>([
  ["a field that becomes required", someText, aText, "a, presence: may no longer be absent"],
  ["a new required field", noText, aText, "a, presence: may no longer be absent"],
  ["a new optional field", noText, someText],
  ["a field that is removed", someText, noText, "a, presence: may no longer be present"],
  ["a field that becomes optional", aText, someText],
  ["another type", aText, field(whole), "a, type: may no longer be string"],
  ["a null that is refused", nullableText, aText, "a, type: may no longer be null"],
  ["a null that is accepted", aText, nullableText],
  ["a whole number that may be any", field(whole), field({ type: "number" })],
  ["a value that is refused", status("x", "y"), status("x"), 'a, value: may no longer be "y"'],
  ["a value that is accepted", status("x"), status("x", "y")],
  ["values that are listed now", aText, status("x"), 'a, value: may no longer be other than "x"'],
  ["another constant", field({ const: 1 }), field({ const: 2 }), "a, value: may no longer be 1"],
  ["a lower limit", short(9), short(8), "a, maxLength: may no longer be beyond 8"],
  ["a new limit", aText, field({ ...text, minLength: 1 }), "a, minLength: may no longer be beyond 1"],
  ["a higher limit", short(8), short(9)],
  ["a pattern", aText, field({ ...text, pattern: "^a" }), "a, pattern: may no longer be other than ^a"],
  ["another default", byDefault(25), byDefault(10), "a, default: may no longer be 25"],
  ["a default that is dropped", byDefault(25), field(whole), "a, default: may no longer be 25"],
  ["fields that are refused if not listed", open, noText, "(other), presence: may no longer be present"],
  ["names that the caller chooses", named(64), named(32), "(name), maxLength: may no longer be beyond 32"],
  ["items of a list", listOf(someText), listOf(aText), "a[].a, presence: may no longer be absent"],
  [
    "a choice that is refused",
    choice(text, aText),
    choice(text, whole),
    "a, type: may no longer be object; a.a, presence: may no longer be present",
  ],
  ["a new choice", choice(text), choice(text, whole)],
  [
    "a field of one choice",
    either(),
    either({ b: text }),
    "a (ok=true).b, presence: may no longer be absent",
  ],
])("in a request: %s", (_what, before, after, expected = "") => {
  const found = changes(documentOf({ request: before }), documentOf({ request: after }));
  expect(found).toBe(at("body", expected));
});

test.each<[string, Json, Json, string?]>([
  ["a field that is removed", aText, noText, "a, presence: may now be removed"],
  ["an optional field that is removed", someText, noText, "a, presence: may now be removed"],
  ["a new field", noText, aText],
  ["a field that may be missing", aText, someText, "a, presence: may now be absent"],
  ["a field that may be null", aText, nullableText, "a, type: may now be null"],
  ["a field that is never null any more", nullableText, aText],
  ["a number that may be a fraction", field(whole), field({ type: "number" }), "a, type: may now be number"],
  ["a new value", status("x"), status("x", "y"), 'a, value: may now be "y"'],
  ["a value that does not occur any more", status("x", "y"), status("x")],
  ["values that are not listed any more", status("x"), aText, 'a, value: may now be other than "x"'],
  ["a format that is dropped", uuid, aText, "a, format: may now be other than uuid"],
  ["a higher limit", short(8), short(9)],
  ["a new error code", failing("a"), failing("a", "b")],
  ["a new choice", choice(text, whole), choice(text, whole, aText), "a, type: may now be object"],
  ["a new type of event", events("x", "y"), events("x", "y", "z")],
])("in a response: %s", (_what, before, after, expected = "") => {
  const found = changes(documentOf({ response: before }), documentOf({ response: after }));
  expect(found).toBe(at("response 201", expected));
});

const query = (name: string, more: Json = {}) => ({
  parameters: [{ name, in: "query", schema: text, ...more }],
});
const A = "query parameter a";
const required = query("a", { required: true });
const inOneText = query("a", { explode: false });
const bearer = { security: [{ bearer: [] }] };
const statuses = (...all: number[]) => ({ responses: Object.fromEntries(all.map((one) => [one, {}])) });
const headers = (...names: string[]) => ({
  responses: { 201: { headers: Object.fromEntries(names.map((name) => [name, {}])) } },
});

test.each<[string, Json, Json, string?]>([
  ["another id", {}, { operationId: "x" }, "operation id: may no longer be placeOrder"],
  ["a higher role", {}, { "x-tradepost-role": "admin" }, "role: may no longer be editor"],
  ["a lower role", {}, { "x-tradepost-role": "viewer" }],
  ["a scope", {}, { "x-tradepost-scope": "write:crm" }, "scope: may no longer be other than write:crm"],
  ["users only", {}, { "x-tradepost-users-only": true }, "actor: may no longer be API key"],
  ["a credential", {}, bearer, "credential: may no longer be other than bearer"],
  ["no credential any more", bearer, {}],
  ["another credential", bearer, { security: [{ basic: [] }] }, "credential: may no longer be bearer"],
  ["another summary", { summary: "a" }, { summary: "b" }],
  ["a parameter that is removed", query("a"), {}, `${A}, presence: may no longer be present`],
  ["a new parameter", {}, query("a")],
  ["a parameter that becomes required", query("a"), required, `${A}, presence: may no longer be absent`],
  ["a list that is written in another way", inOneText, query("a"), `${A}, style: may no longer be form`],
  ["a body that becomes required", {}, { request: noText }, "body, presence: may no longer be absent"],
  ["a body that is removed", { request: noText }, {}, "body, presence: may no longer be present"],
  ["an error that occurs no more", statuses(200, 409), statuses(200)],
  ["a status that is replaced", statuses(200), statuses(202), "response 200, presence: may now be removed"],
  [
    "a header that is no longer sent",
    headers("ETag", "Location"),
    headers("etag"),
    "response 201, header location, presence: may now be removed",
  ],
])("of an operation: %s", (_what, before, after, expected = "") => {
  expect(changes(documentOf(before), documentOf(after))).toBe(expected);
});

test("an operation that is removed, and a new one", () => {
  const empty = { paths: {} };
  const removed = "POST /v1/orders, presence: may no longer be present";
  expect(breakingChanges(documentOf({}), empty)).toEqual([removed]);
  expect(breakingChanges(empty, documentOf({}))).toEqual([]);
});

test("shared schemas, also ones that contain themselves, and shared responses", () => {
  const next = { anyOf: [{ $ref: "#/components/schemas/Node" }, { type: "null" }] };
  const response = { $ref: "#/components/schemas/Node" };
  const sharing = (fields: Json) =>
    documentOf({ response }, { schemas: { Node: object({ ...fields, next }) } });
  expect(changes(sharing({ a: text }), sharing({ a: text }))).toBe("");
  const removed = "response 201 application/json a, presence: may now be removed";
  expect(changes(sharing({ a: text }), sharing({}))).toBe(removed);
  const busy = (headers: Json) =>
    documentOf(
      { responses: { 503: { $ref: "#/components/responses/Busy" } } },
      { responses: { Busy: { headers } } },
    );
  const lost = "response 503, header retry-after, presence: may now be removed";
  expect(changes(busy({ "Retry-After": {} }), busy({}))).toBe(lost);
});

test("an event that lacks a field or a header", () => {
  const documentWith = (schema: Json, ...names: string[]) => ({
    paths: {},
    webhooks: {
      "order.placed": {
        post: {
          ...{ operationId: "x", responses: {} },
          parameters: names.map((name) => ({ name, in: "header", required: true })),
          requestBody: { content: { "application/json": { schema } } },
        },
      },
    },
  });
  expect(breakingChanges(documentWith(aText, "webhook-id"), documentWith(noText))).toEqual([
    "event order.placed, header webhook-id, presence: may now be removed",
    "event order.placed application/json a, presence: may now be removed",
  ]);
});
