// What may be written into an entry besides its data, field by field (contract §5). Pure.
import { jsonObject } from "@tradepost/http";
import { z } from "zod";
import { DEFAULT_LOCALE } from "./entry.ts";

const SLUG = /^(?=.{1,200}$)[a-z0-9]+(-[a-z0-9]+)*$/;

const slug = z
  .string("must be a string")
  .regex(SLUG, "must be 1 to 200 lower-case letters, digits and single hyphens");

// RFC 5646 recommends room for 35; other spellings of the same tag may be longer.
const LOCALE_CHARACTERS_MAX = 35;
const LOCALE_CHARACTERS_READ_MAX = 255;

/** A language tag in its canonical form, in which locales are stored. */
export const locale = z.string("must be a string").transform((given, context) => {
  try {
    const [canonical] = given.length > LOCALE_CHARACTERS_READ_MAX ? [] : Intl.getCanonicalLocales(given);
    if (canonical !== undefined && canonical.length <= LOCALE_CHARACTERS_MAX) return canonical;
  } catch {
    // Said below.
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
  publishAt: z.iso
    .datetime({ offset: true, message: "must be an ISO 8601 time: 2026-01-31T09:00:00Z" })
    .transform((text) => new Date(text)),
});

export type EntryInput = z.output<typeof entryInput>;
export type EntryChange = z.output<typeof entryChange>;
