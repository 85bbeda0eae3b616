// The bodies and queries of the routes for redirects (interface §5). Pure.
import { exportQuery, pageQuery, shaped } from "@tradepost/http";
import { count, search } from "@tradepost/search";
import { z } from "zod";
import { isTarget, normalPath, URL_CHARACTERS_MAX } from "./site-path.ts";

const redirectTypes = [301, 302, 307, 308] as const;

/** The output is the normal form. */
const sitePath = shaped(
  z.string("must be a string").transform((path, context) => {
    const normal = normalPath(path);
    if (normal !== null) return normal;
    context.addIssue({
      code: "custom",
      message:
        "must be a path that begins with /, has no query, fragment or control characters, and has at most 2,048 characters percent-encoded",
    });
    return z.NEVER;
  }),
  z
    .string()
    .max(URL_CHARACTERS_MAX)
    .regex(/^ *\/[^?#]*$/),
);

export const redirectInput = z.strictObject({
  from: sitePath.describe("As people type it; stored percent-encoded and without a slash at the end."),
  to: shaped(
    z
      .string("must be a string")
      .refine(isTarget, "must be a path that begins with / or an absolute http(s) URL"),
    z
      .string()
      .max(URL_CHARACTERS_MAX)
      .regex(/^(\/(?![/\\])|https?:\/\/)\S*$/)
      .describe("A path, with a query and a fragment if need be, or an absolute http(s) URL."),
  ),
  type: z.literal([...redirectTypes], `must be one of ${redirectTypes.join(", ")}`).default(301),
});

export const newRedirectInput = redirectInput.extend({
  replaces: z
    .uuid()
    .optional()
    .describe("The id of a redirect that is deleted in the same step, as when a redirect is edited."),
});

const REDIRECTS_MAX = 100;

/** Each redirect is validated on creation, because an invalid redirect does not fail the others. */
export const redirectsInput = z.strictObject({
  redirects: shaped(
    z
      .array(z.unknown(), "must be a list of redirects")
      .min(1, "must contain at least 1 redirect")
      .max(REDIRECTS_MAX, `must contain at most ${REDIRECTS_MAX} redirects`),
    z.array(redirectInput).min(1).max(REDIRECTS_MAX),
  ),
});

/** The list shows paths encoded; the words of a redirect are those of its decoded path. */
function decoded(text: string): string {
  try {
    const path = decodeURIComponent(text);
    return /\p{Cc}/u.test(path) ? text : path;
  } catch {
    return text;
  }
}

export const redirectsQuery = z.strictObject({
  ...pageQuery,
  from: sitePath.optional().describe("The redirect from this path."),
  search: shaped(z.string().transform(decoded).pipe(search), z.string().min(2).max(100))
    .optional()
    .describe("Only redirects that have each of these words: it begins a word of the path or the target."),
  count,
});

export const resolveQuery = z.strictObject({
  path: sitePath.describe("The path that was requested. A `+` means a blank, and a `%` is written `%25`."),
});

export type NewRedirectInput = z.output<typeof newRedirectInput>;
export type RedirectInput = z.output<typeof redirectInput>;
export type RedirectsInput = z.output<typeof redirectsInput>;
export const redirectsExportQuery = redirectsQuery
  .omit({ limit: true, cursor: true, count: true })
  .extend(exportQuery);

export type RedirectsQuery = z.output<typeof redirectsQuery>;
