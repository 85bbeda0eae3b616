// The body of PUT /v1/modules/{name} (interface §2).
import { z } from "zod";

export const moduleInput = z.strictObject({ active: z.boolean("must be true or false") });
