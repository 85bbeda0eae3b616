// JSON Schema for readers who get one schema at a time.
import { z } from "zod";

/** The JSON Schema of an event's data, without references: what the API shares by id stands in it in full. */
export function plainSchemaOf(schema: z.ZodType): Record<string, unknown> {
  return z.toJSONSchema(schema, { metadata: withoutIds as z.core.$ZodRegistry<Record<string, unknown>> });
}

/** Zod only looks up what a schema says about itself. */
const withoutIds: Pick<z.core.$ZodRegistry<Record<string, unknown>>, "get"> = {
  get: (schema) => {
    const { id: _, ...meta } = z.globalRegistry.get(schema) ?? {};
    return meta;
  },
};
