// Each kind of gap in a description is found.
import { descriptionFaults } from "./faults.ts";

const json = (schema: unknown) => ({ content: { "application/json": { schema } } });
const text = { type: "string" };
const object = (properties: object) => ({ type: "object", properties });
const FINE = object({ id: text });
const LIMIT = { name: "limit", description: "How many", example: 25, schema: { type: "integer" } };
const limit = (changes: object) => ({ parameters: [{ ...LIMIT, ...changes }] });
const CURSOR = { name: "cursor", description: "Of the page before", schema: text };
const OPEN = { type: "object", properties: {}, additionalProperties: {} };
const response = (schema: unknown) => ({ responses: { 200: json(schema), 404: json(FINE) } });

test.each<[string, object, string[]]>([
  ["a complete description", { requestBody: json(FINE) }, []],
  ["a body without a schema", { requestBody: json({}) }, ["the body has an empty schema"]],
  ["a parameter without a schema", limit({ schema: {} }), ["the parameter limit has an empty schema"]],
  [
    "a parameter without a description",
    limit({ description: undefined }),
    ["the parameter limit has no description"],
  ],
  [
    "an optional parameter without an example",
    { parameters: [CURSOR, { ...CURSOR, name: "type" }] },
    ["the optional parameter type has no example"],
  ],
  ["no response", { responses: {} }, ["no successful response is described", "no error is described"]],
  ["an empty schema", response({ description: "Anything" }), ["the response 200 has an empty schema"]],
  [
    "an empty property",
    response(object({ a: object({ b: {} }) })),
    ["the response 200.a.b has an empty schema"],
  ],
  ["empty items", response({ type: "array", items: {} }), ["the response 200[] has an empty schema"]],
  [
    "an empty choice",
    response({ anyOf: [{ type: "null" }, object({ c: {} })] }),
    ["the response 200.c has an empty schema"],
  ],
  [
    "one of several that is empty",
    response({ oneOf: [{ type: "array", items: {} }] }),
    ["the response 200[] has an empty schema"],
  ],
  ["a list of anything", response({ type: "array" }), ["the response 200 is a list of anything"]],
  ["an open object", response(OPEN), ["the response 200 is an object of any kind without a description"]],
  ["a described open object", response({ ...OPEN, description: "As it was sent" }), []],
  ["an object of texts", response({ type: "object", additionalProperties: text }), []],
])("%s", (_what, differing, faults) => {
  const get = { parameters: [LIMIT], ...response(FINE), ...differing };
  const description = { paths: { "/v1/things": { get } }, components: { schemas: {}, responses: {} } };
  expect(descriptionFaults(description)).toEqual(faults.map((fault) => `GET /v1/things: ${fault}`));
});

test("an empty schema that operations share", () => {
  const schemas = { Thing: object({ a: {} }) };
  const components = { schemas, responses: { Gone: json({}) } };
  expect(descriptionFaults({ paths: {}, components })).toEqual([
    "Gone has an empty schema",
    "Thing.a has an empty schema",
  ]);
});
