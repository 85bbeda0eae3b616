// What POST /v1/redirects takes, field by field (contract §5). Pure.
import { z } from "zod";
import { isTarget, normalPath, redirectTypes } from "./redirect.ts";

/** A path in its normal form. */
export const sitePath = z.string("must be a string").transform((given, context) => {
  const normal = normalPath(given);
  if (normal !== null) return normal;
  context.addIssue({
    code: "custom",
    message: "must be a path that begins with / and has no query or fragment",
  });
  return z.NEVER;
});

export const redirectInput = z.strictObject({
  from: sitePath,
  to: z
    .string("must be a string")
    .refine(isTarget, "must be a path that begins with / or an absolute http(s) URL"),
  type: z.literal([...redirectTypes], `must be one of ${redirectTypes.join(", ")}`).default(301),
});

export type RedirectInput = z.output<typeof redirectInput>;
