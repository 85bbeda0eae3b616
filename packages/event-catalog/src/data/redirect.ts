// The redirect in events, as in the API but for the version.
import { z } from "zod";

export const redirect = z
  .strictObject({
    id: z.uuid(),
    from: z.string().describe("The path that it leads from, percent-encoded and without a slash at the end."),
    to: z.string().describe("A path on the same site or an absolute URL."),
    type: z
      .union([z.literal(301), z.literal(302), z.literal(307), z.literal(308)])
      .describe("The HTTP status to redirect with."),
    createdAt: z.iso.datetime(),
    version: z.int().min(1),
  })
  .meta({ id: "Redirect", description: "A redirect from a path of the site." });

const schema = z.strictObject({
  redirect: redirect
    .extend({
      version: z
        .int()
        .min(1)
        .optional()
        .describe("1 in `redirect.added`, higher in each later event of the redirect."),
    })
    .meta({ id: "RedirectInEvents", description: "A redirect from a path of the site, with its version." }),
});

const exampleWith = (version: number) => ({
  redirect: {
    id: "0198c5b3-2f4a-7d21-8c5e-0a1b2c3d4e5f",
    from: "/old-shop",
    to: "/shop",
    type: 301,
    createdAt: "2026-08-20T09:30:00.000Z",
    version,
  },
});

export const redirectEvents = {
  "redirect.added": { schema, example: exampleWith(1) },
  "redirect.removed": { schema, example: exampleWith(2) },
};
