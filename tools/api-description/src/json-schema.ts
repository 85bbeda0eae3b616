// Converts zod schemas to JSON Schema (2020-12, the dialect of OpenAPI 3.1). Pure.
import { shapeOf } from "@tradepost/http";
import { z } from "zod";

export type JsonSchema = Record<string, unknown>;

/** The schemas with an id, by id: the document's `components.schemas`. */
export type Components = Record<string, JsonSchema>;

// Formats whose patterns are too long to be helpful.
const FORMATS_WITHOUT_PATTERN = new Set(["uuid", "date-time", "email"]);

/**
 * Returns the JSON Schema of what `schema` accepts (`input`), of what it accepts as the body of a POST (`new`), where `null` for
 * an optional field means a missing one (interface §1), or of what a handler returns (`output`). Schemas with an id, set by
 * `.meta({ id })`, are added to `components` and referred to.
 *
 * Objects of an output are open although `schema` is strict, because later versions may add fields (interface §11). Objects with
 * arbitrary fields have `additionalProperties`, so that tests can treat all other objects as closed.
 *
 * @throws an Error for two different schemas with the same id.
 */
export function jsonSchemaOf(
  schema: z.ZodType,
  io: "input" | "new" | "output",
  components: Components,
): JsonSchema {
  const definitions: [id: string, definition: JsonSchema][] = [];
  const converted = convert(schema, io === "output" ? "output" : "input", definitions);
  const finish = (part: JsonSchema) => {
    const pointed = pointAtComponents(part) as JsonSchema;
    return io === "new" ? acceptingNulls(pointed) : pointed;
  };
  for (const [id, definition] of definitions) addComponent(components, id, finish(withoutId(definition)));
  return finish(converted);
}

export function objectOf(properties: Record<string, JsonSchema>): JsonSchema {
  return { type: "object", properties, required: Object.keys(properties) };
}

/** Converts a schema and adds the schemas with an id, including schemas in shapes, to `definitions`. */
function convert(
  schema: z.ZodType,
  io: "input" | "output",
  definitions: [id: string, definition: JsonSchema][],
): JsonSchema {
  const { $schema, $defs, ...converted } = z.toJSONSchema(schema, {
    io,
    unrepresentable: "any",
    override: ({ zodSchema, jsonSchema }) => {
      const shape = shapeOf(zodSchema);
      if (shape !== undefined) replaceBy(jsonSchema, convert(shape, io, definitions));
      if (FORMATS_WITHOUT_PATTERN.has(jsonSchema.format ?? "")) delete jsonSchema.pattern;
      if (jsonSchema.pattern !== undefined) jsonSchema.pattern = withPlainSlashes(jsonSchema.pattern);
      if (io === "output" && jsonSchema.additionalProperties === false)
        delete jsonSchema.additionalProperties;
      // The largest integer of a double is not a limit of the API.
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
    },
  }) as JsonSchema;
  definitions.push(...Object.entries(($defs ?? {}) as Components));
  return converted;
}

/** Removes the escapes of slashes. Only literals in JavaScript need them, and generators that write literals add their own. */
function withPlainSlashes(pattern: string): string {
  return pattern.replaceAll(/\\(.)/gs, (escaped, character: string) => (character === "/" ? "/" : escaped));
}

/** Keeps its description and other metadata. */
function replaceBy(target: JsonSchema, shape: JsonSchema): void {
  const { description } = target;
  for (const key of Object.keys(target)) delete target[key];
  Object.assign(target, shape, description === undefined ? {} : { description });
}

/** Returns the schema with null allowed for optional fields, at every depth. */
function acceptingNulls(schema: JsonSchema): JsonSchema {
  const {
    properties,
    required = [],
    items,
    anyOf,
  } = schema as {
    properties?: Record<string, JsonSchema>;
    required?: readonly string[];
    items?: JsonSchema;
    anyOf?: readonly JsonSchema[];
  };
  const fields = Object.entries(properties ?? {}).map(([name, field]) => {
    const inner = acceptingNulls(field);
    return [name, required.includes(name) ? inner : orNull(inner)];
  });
  return {
    ...schema,
    ...(properties !== undefined && { properties: Object.fromEntries(fields) }),
    ...(items !== undefined && { items: acceptingNulls(items) }),
    ...(anyOf !== undefined && { anyOf: anyOf.map(acceptingNulls) }),
  };
}

function orNull(schema: JsonSchema): JsonSchema {
  const { type, enum: values, anyOf, description, default: preset, ...rest } = schema;
  if (typeof type === "string")
    return { ...schema, type: [type, "null"], ...(Array.isArray(values) && { enum: [...values, null] }) };
  if (Array.isArray(type)) return schema;
  const choices = Array.isArray(anyOf) ? anyOf : [rest];
  if (choices.some((choice) => choice.type === "null")) return schema;
  return {
    ...(description !== undefined && { description }),
    ...(preset !== undefined && { default: preset }),
    anyOf: [...choices, { type: "null" }],
  };
}

function withoutId({ id: _id, ...definition }: JsonSchema): JsonSchema {
  return definition;
}

function addComponent(components: Components, id: string, definition: JsonSchema): void {
  const before = components[id];
  if (before !== undefined && JSON.stringify(before) !== JSON.stringify(definition)) {
    throw new Error(`two different schemas have the id ${id}`);
  }
  components[id] = definition;
}

/** Changes Zod's references to the document's: `#/$defs/Order` becomes `#/components/schemas/Order`. */
function pointAtComponents(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(pointAtComponents);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) =>
      key === "$ref" && typeof inner === "string"
        ? [key, inner.replace(/^#\/\$defs\//, "#/components/schemas/")]
        : [key, pointAtComponents(inner)],
    ),
  );
}
