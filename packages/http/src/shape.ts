// The shapes of schemas whose JSON Schema cannot be derived: transforms of unknown values, custom checks, and texts that are
// parsed. Without a shape such a schema would appear in the API description as "anything" (interface §11).
import type { z } from "zod";

const shapes = new WeakMap<object, z.ZodType>();

/**
 * Returns `schema`, which the API description shows as `shape` (interface §11). The shape does not validate anything. What is
 * described or refined from `schema` has the same shape; a schema that it is transformed into needs its own.
 */
export function shaped<Schema extends object>(schema: Schema, shape: z.ZodType): Schema {
  shapes.set(schema, shape);
  return schema;
}

/** The shape that `shaped` gave to the schema, or to the one that this one was described or refined from. */
export function shapeOf(schema: z.core.$ZodType): z.ZodType | undefined {
  return shapes.get(schema) ?? (schema._zod.parent && shapeOf(schema._zod.parent));
}
