// The query of GET /v1/media/{id}/file (interface §5). Pure.
import { z } from "zod";
import { variantNames } from "../image/variant.ts";

export const fileQuery = z.strictObject({
  variant: z.enum(variantNames, `must be one of ${variantNames.join(", ")}`).optional(),
});

export type FileQuery = z.output<typeof fileQuery>;
