// Shapes for schemas whose JSON Schema cannot be derived: transforms of unknown values, custom checks, and parsed texts. Without
// a shape, such a schema would appear in the API description as "anything" (interface §11).
import type { z } from "zod";

const shapes = new WeakMap<object, z.ZodType>();

/**
 * Makes the API description show `schema` as `shape`, and returns `schema` (interface §11). The shape validates nothing. Schemas
 * made from `schema` by describing or refining have the same shape; a transform of it needs its own.
 */
export function shaped<Schema extends object>(schema: Schema, shape: z.ZodType): Schema {
  shapes.set(schema, shape);
  return schema;
}

/** Returns the shape that `shaped` gave to the schema, or to the schema that it was described or refined from. */
export function shapeOf(schema: z.core.$ZodType): z.ZodType | undefined {
  return shapes.get(schema) ?? (schema._zod.parent && shapeOf(schema._zod.parent));
}
