// The bodies and queries of the routes for entries (interface §5). Pure.
import { jsonObject, pageQuery, timestamp } from "@tradepost/http";
import { z } from "zod";
import { DEFAULT_LOCALE, entryStatuses } from "./entry.ts";

const SLUG = /^(?=.{1,200}$)[a-z0-9]+(-[a-z0-9]+)*$/;

const slug = z
  .string("must be a string")
  .regex(SLUG, "must be 1 to 200 lower-case letters, digits and single hyphens");

// RFC 5646 recommends room for 35 characters; a spelling that is not canonical may be longer.
const LOCALE_CHARACTERS_MAX = 35;
const LOCALE_CHARACTERS_READ_MAX = 255;

/** A language tag; the output is its canonical form, which is what the database stores. */
const locale = z.string("must be a string").transform((tag, context) => {
  try {
    const [canonical] = tag.length > LOCALE_CHARACTERS_READ_MAX ? [] : Intl.getCanonicalLocales(tag);
    if (canonical !== undefined && canonical.length <= LOCALE_CHARACTERS_MAX) return canonical;
  } catch {
    // Reported below.
  }
  context.addIssue({ code: "custom", message: "must be a language tag: en, de-AT" });
  return z.NEVER;
});

export const entryInput = z.strictObject({
  type: z.string("must be a string"),
  slug: slug.optional(),
  locale: locale.default(DEFAULT_LOCALE),
  data: jsonObject,
});

export const entryChange = z.strictObject({ slug: slug.optional(), data: jsonObject.optional() });

export const scheduleInput = z.strictObject({
  publishAt: timestamp.transform((text) => new Date(text)),
});

export const entriesQuery = z.strictObject({
  ...pageQuery,
  type: z.string().max(64).optional(),
  status: z.enum(entryStatuses, `must be one of ${entryStatuses.join(", ")}`).optional(),
  slug: z.string().max(200).optional(),
  locale: locale.optional(),
  version: z.enum(["draft", "published"], "must be draft or published").default("draft"),
});

export const entryQuery = z.strictObject({
  version: z
    .string()
    .transform((version, context) => {
      if (version === "draft" || version === "published") return version;
      const number = revisionNumber(version);
      if (number !== null) return number;
      context.addIssue({ code: "custom", message: "must be draft, published or a revision's number" });
      return z.NEVER;
    })
    .default("draft"),
});

/** Parses a revision's number in a path or a query; null if it is malformed. */
export function revisionNumber(text: string): number | null {
  return /^[1-9]\d{0,8}$/.test(text) ? Number(text) : null;
}

export type EntryInput = z.output<typeof entryInput>;
export type EntryChange = z.output<typeof entryChange>;
export type ScheduleInput = z.output<typeof scheduleInput>;
export type EntriesQuery = z.output<typeof entriesQuery>;
export type EntryQuery = z.output<typeof entryQuery>;
