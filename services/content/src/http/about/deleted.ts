// The response to a DELETE (interface §5). Pure.
import { z } from "zod";

export const deleted = z
  .strictObject({ id: z.uuid(), deleted: z.literal(true) })
  .meta({ id: "Deleted", description: "The resource is gone." });
