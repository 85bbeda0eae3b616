// The bodies and queries of the routes for media (interface §5). Pure.
import { pageQuery, text } from "@tradepost/http";
import { count, search } from "@tradepost/search";
import { z } from "zod";
import { variantNames } from "./image/variant.ts";

export const mediaQuery = z.strictObject({
  ...pageQuery,
  search: search
    .optional()
    .describe("Only media whose file name has each of these words: it begins a word of the name."),
  count,
});

export const mediaChange = z.strictObject({
  altText: text(500)
    .nullable()
    .describe("What the image shows, for people who do not see it; null for none."),
});

export type MediaChange = z.output<typeof mediaChange>;
export type MediaQuery = z.output<typeof mediaQuery>;

const variant = z
  .enum(variantNames, `must be one of ${variantNames.join(", ")}`)
  .optional()
  .describe("A smaller version of an image, as WebP. The original by default.");

export const fileQuery = z.strictObject({ variant });

const LINK_SECONDS_MAX = 604_800;
const linkSeconds = `must be a whole number of seconds from 1 to ${LINK_SECONDS_MAX}`;

export const linkInput = z.strictObject({
  variant,
  expiresInSeconds: z
    .int(linkSeconds)
    .min(1, linkSeconds)
    .max(LINK_SECONDS_MAX, linkSeconds)
    .default(3_600)
    .describe("How long the link is valid, in seconds."),
});

/** Accepts any value: a value that no link has does not match the signature. */
export const linkQuery = z.strictObject({
  tenant: z.string().optional().describe("As in the link."),
  variant: z.string().optional().describe("As in the link."),
  expires: z.string().optional().describe("As in the link, in seconds since 1970."),
  ended: z.string().optional().describe("As in the link."),
  signature: z.string().optional().describe("As in the link."),
});

export type LinkInput = z.output<typeof linkInput>;
