// The bodies and queries of the routes for entries (interface §5). Pure.
import { entry } from "@tradepost/event-catalog";
import { exportQuery, ids, jsonObject, languageTag, pageQuery, shaped, timestamp } from "@tradepost/http";
import { count, search } from "@tradepost/search";
import { z } from "zod";
import { DEFAULT_LOCALE } from "./entry-resource.ts";

const SLUG_CHARACTERS_MAX = 200;
const SLUG = /^(?=.{1,200}$)[a-z0-9]+(-[a-z0-9]+)*$/;

const slug = shaped(
  z.string("must be a string").regex(SLUG, "must be 1 to 200 lower-case letters, digits and single hyphens"),
  z
    .string()
    .max(SLUG_CHARACTERS_MAX)
    .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/),
);

export const entryInput = z.strictObject({
  type: z.string("must be a string").describe("The slug of a content type."),
  slug: slug
    .optional()
    .describe("Unique for each type and locale. Made from the first text field if it is left out."),
  locale: languageTag.default(DEFAULT_LOCALE).describe("A language tag, such as `en` or `de-AT`."),
  data: jsonObject.describe("By key, the fields of the content type."),
});

export const entryChange = z.strictObject({
  slug: slug.optional().describe("Unique for each type and locale."),
  data: jsonObject.optional().describe("By key, the fields to change; `null` removes a field."),
});

export const scheduleInput = z.strictObject({
  publishAt: timestamp.transform((text) => new Date(text)).describe("In the future, at most 5 years ahead."),
});

const statuses = entry.shape.status.options;

export const entriesQuery = z.strictObject({
  ...pageQuery,
  type: z.string().max(64).optional().describe("The slug of a content type."),
  status: z
    .enum(statuses, `must be one of ${statuses.join(", ")}`)
    .optional()
    .describe("Only entries with this status."),
  slug: z.string().max(SLUG_CHARACTERS_MAX).optional().describe("Of the version that the list shows."),
  locale: languageTag.optional().describe("A language tag, such as `en` or `de-AT`."),
  search: search
    .optional()
    .describe(
      "Only entries that have each of these words: it begins a word of the slug or of the title, which is `title` or else the first text.",
    ),
  mediaId: ids
    .optional()
    .describe(
      "Only entries of which a field has one of these media assets, in the version that the list shows.",
    ),
  count,
  version: z
    .enum(["draft", "published"], "must be draft or published")
    .default("draft")
    .describe("`draft`: the latest revision of each entry; `published`: live entries, as they are live."),
});

export const entryQuery = z.strictObject({
  version: shaped(
    z
      .string()
      .transform((version, context) => {
        if (version === "draft" || version === "published") return version;
        const number = revisionNumber(version);
        if (number !== null) return number;
        context.addIssue({ code: "custom", message: "must be draft, published or a revision's number" });
        return z.NEVER;
      })
      .default("draft"),
    z
      .union([z.enum(["draft", "published"]), z.int().min(1).max(999_999_999)])
      .default("draft")
      .describe("The latest revision, the live one (404 if none is live), or a revision by its number."),
  ),
});

export function revisionNumber(text: string): number | null {
  return /^[1-9]\d{0,8}$/.test(text) ? Number(text) : null;
}

export type EntriesQuery = z.output<typeof entriesQuery>;
export type EntryInput = z.output<typeof entryInput>;
export type EntryChange = z.output<typeof entryChange>;
export type ScheduleInput = z.output<typeof scheduleInput>;
export const entriesExportQuery = entriesQuery
  .omit({ limit: true, cursor: true, count: true })
  .extend(exportQuery);
