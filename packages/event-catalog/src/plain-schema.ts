// JSON Schema for readers who see one schema at a time.
import { z } from "zod";

/**
 * Returns the JSON Schema of an event's data without references: schemas that the API description shares by id are written out.
 */
export function plainSchemaOf(schema: z.ZodType): Record<string, unknown> {
  return z.toJSONSchema(schema, { metadata: withoutIds as z.core.$ZodRegistry<Record<string, unknown>> });
}

/** A registry without ids. Zod only reads it, to look up a schema's metadata. */
const withoutIds: Pick<z.core.$ZodRegistry<Record<string, unknown>>, "get"> = {
  get: (schema) => {
    const { id: _, ...meta } = z.globalRegistry.get(schema) ?? {};
    return meta;
  },
};
