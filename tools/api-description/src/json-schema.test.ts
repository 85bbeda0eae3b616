import { describe, expect, test } from "@jest/globals";
import { shaped, text } from "@tradepost/http";
import { z } from "zod";
import { type Components, jsonSchemaOf } from "./json-schema.ts";

const output = (schema: z.ZodType, components: Components = {}) => jsonSchemaOf(schema, "output", components);
const input = (schema: z.ZodType) => jsonSchemaOf(schema, "input", {});

describe("a schema", () => {
  const schema = z.strictObject({ id: z.uuid(), at: z.iso.datetime().nullable() });
  const converted = {
    type: "object",
    properties: {
      id: { type: "string", format: "uuid" },
      at: { anyOf: [{ type: "string", format: "date-time" }, { type: "null" }] },
    },
    required: ["id", "at"],
  };

  test("is as strict in a request as the service", () => {
    expect(input(schema)).toEqual({ ...converted, additionalProperties: false });
    expect(input(z.looseObject({}))).toMatchObject({ type: "object", additionalProperties: {} });
  });

  test("is open in a response, to which later versions may add fields", () => {
    expect(output(schema)).toEqual(converted);
    expect(output(z.looseObject({}))).toMatchObject({ type: "object", additionalProperties: {} });
  });

  test("need not have the fields with a default in a request, and has them in a response", () => {
    const line = z.strictObject({ quantity: z.int().min(1).max(9).default(1) });
    expect(input(line)).not.toHaveProperty("required");
    expect(output(line)).toMatchObject({ required: ["quantity"] });
  });

  test("accepts null for optional fields of a new resource, at every depth", () => {
    const line = z.strictObject({ sku: z.string(), tax: z.number().default(0) }).meta({ id: "Line" });
    const kind = z.enum(["a"]).meta({ id: "Kind" });
    const body = z.strictObject({ lines: z.array(line), note: z.string().optional(), kind: kind.optional() });
    const components: Components = {};
    const { properties } = jsonSchemaOf(body, "new", components);
    expect(properties).toEqual({
      lines: { type: "array", items: { $ref: "#/components/schemas/Line" } },
      note: { type: ["string", "null"] },
      kind: { anyOf: [{ $ref: "#/components/schemas/Kind" }, { type: "null" }] },
    });
    expect(components.Line?.properties).toEqual({
      sku: { type: "string" },
      tax: { type: ["number", "null"], default: 0 },
    });
  });

  test("does not escape slashes in patterns", () => {
    expect(input(z.string().regex(/^\/[^/\\/]*\\\/$/))).toMatchObject({ pattern: "^/[^/\\\\/]*\\\\/$" });
  });

  test("appears as its shape, with what was said about either", () => {
    const list = shaped(
      z.string().transform((value) => value.split(",")),
      z.array(z.string()).min(1).describe("Names"),
    );
    expect(input(list)).toEqual({
      type: "array",
      items: { type: "string" },
      minItems: 1,
      description: "Names",
    });
    expect(input(list.optional().describe("Wanted names"))).toMatchObject({
      type: "array",
      description: "Wanted names",
    });
    expect(input(z.strictObject({ name: text(5).describe("A name") }))).toMatchObject({
      properties: {
        name: {
          type: "string",
          maxLength: 5,
          pattern: expect.stringContaining("[^\\s"),
          description: "A name",
        },
      },
    });
  });

  test("says nothing if it has no JSON Schema and no shape", () => {
    expect(output(z.unknown().transform((value) => value))).toEqual({});
    expect(input(z.custom((value) => value === 1))).toEqual({});
  });
});

describe("a schema with an id", () => {
  const thing = z.strictObject({ id: z.uuid() }).meta({ id: "Thing", description: "A thing." });

  test("is a component, to which others refer", () => {
    const components: Components = {};
    expect(output(z.strictObject({ thing, others: z.array(thing) }), components)).toMatchObject({
      properties: {
        thing: { $ref: "#/components/schemas/Thing" },
        others: { type: "array", items: { $ref: "#/components/schemas/Thing" } },
      },
    });
    expect(components).toEqual({
      Thing: {
        type: "object",
        description: "A thing.",
        properties: { id: { type: "string", format: "uuid" } },
        required: ["id"],
      },
    });
    expect(output(thing, components)).toEqual({ $ref: "#/components/schemas/Thing" });
  });

  test("must be the only one with the id", () => {
    const components: Components = {};
    output(z.array(thing), components);
    const other = z.strictObject({ name: z.string() }).meta({ id: "Thing" });
    expect(() => output(z.array(other), components)).toThrow("two different schemas have the id Thing");
  });
});
