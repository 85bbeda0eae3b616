// The bodies and queries of the routes for redirects (interface §5). Pure.
import { pageQuery } from "@tradepost/http";
import { z } from "zod";
import { isTarget, normalPath, redirectTypes } from "./redirect.ts";

/** A path as people type it; the output is its normal form. */
const sitePath = z.string("must be a string").transform((path, context) => {
  const normal = normalPath(path);
  if (normal !== null) return normal;
  context.addIssue({
    code: "custom",
    message:
      "must be a path that begins with /, has no query, fragment or control characters, and has at most 2,048 characters percent-encoded",
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

export const redirectsQuery = z.strictObject({ ...pageQuery, from: sitePath.optional() });

export const resolveQuery = z.strictObject({ path: sitePath });

export type RedirectInput = z.output<typeof redirectInput>;
export type RedirectsQuery = z.output<typeof redirectsQuery>;
export type ResolveQuery = z.output<typeof resolveQuery>;
