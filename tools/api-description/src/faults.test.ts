import { describe, expect, test } from "@jest/globals";
import { descriptionFaults } from "./faults.ts";

const json = (schema: unknown) => ({ content: { "application/json": { schema } } });
const FINE = { type: "object", properties: { id: { type: "string" } } };
const THING = {
  parameters: [{ name: "limit", description: "How many", example: 25, schema: { type: "integer" } }],
  responses: { 200: json(FINE), 404: json(FINE) } as Record<string, unknown>,
};

const faultsOf = (operation: object, components: object = {}) =>
  descriptionFaults({
    paths: { "/v1/things": { get: { ...THING, ...operation } } },
    components: { schemas: {}, responses: {}, ...components },
  });
const inResponse = (schema: unknown) => faultsOf({ responses: { ...THING.responses, 200: json(schema) } });

test("a complete description has no faults", () => {
  expect(faultsOf({ requestBody: json(FINE) }, { schemas: { Thing: FINE } })).toEqual([]);
});

describe("a fault is", () => {
  test("a body, a parameter or a response without a schema", () => {
    expect(faultsOf({ requestBody: json({}) })).toEqual(["GET /v1/things: the body has an empty schema"]);
    expect(
      faultsOf({ parameters: [{ name: "limit", description: "How many", example: 25, schema: {} }] }),
    ).toEqual(["GET /v1/things: the parameter limit has an empty schema"]);
    expect(inResponse({ description: "Anything" })).toEqual([
      "GET /v1/things: the response 200 has an empty schema",
    ]);
  });

  test("a parameter without a description", () => {
    expect(faultsOf({ parameters: [{ name: "limit", example: 25, schema: { type: "integer" } }] })).toEqual([
      "GET /v1/things: the parameter limit has no description",
    ]);
  });

  test("an optional parameter without an example", () => {
    const cursor = { name: "cursor", description: "Of the page before", schema: { type: "string" } };
    expect(faultsOf({ parameters: [cursor, { ...cursor, name: "type" }] })).toEqual([
      "GET /v1/things: the optional parameter type has no example",
    ]);
  });

  test("an operation without a success or without an error", () => {
    expect(faultsOf({ responses: {} })).toEqual([
      "GET /v1/things: no successful response is described",
      "GET /v1/things: no error is described",
    ]);
  });

  test.each([
    ["a property", { type: "object", properties: { a: { type: "object", properties: { b: {} } } } }, ".a.b"],
    ["the items of a list", { type: "array", items: {} }, "[]"],
    ["a choice", { anyOf: [{ type: "null" }, { type: "object", properties: { c: {} } }] }, ".c"],
    ["one of several", { oneOf: [{ type: "array", items: {} }] }, "[]"],
  ])("an empty schema in %s", (_where, schema, place) => {
    expect(inResponse(schema)).toEqual([`GET /v1/things: the response 200${place} has an empty schema`]);
  });

  test("a list of anything, and an object of any kind that nobody has described", () => {
    expect(inResponse({ type: "array" })).toEqual(["GET /v1/things: the response 200 is a list of anything"]);
    const open = { type: "object", properties: {}, additionalProperties: {} };
    expect(inResponse(open)).toEqual([
      "GET /v1/things: the response 200 is an object of any kind without a description",
    ]);
    expect(inResponse({ ...open, description: "As it was sent" })).toEqual([]);
    expect(inResponse({ type: "object", additionalProperties: { type: "string" } })).toEqual([]);
  });

  test("an empty schema that operations share", () => {
    const components = {
      schemas: { Thing: { properties: { a: {} }, type: "object" } },
      responses: { Gone: json({}) },
    };
    expect(faultsOf({}, components)).toEqual(["Gone has an empty schema", "Thing.a has an empty schema"]);
  });
});
