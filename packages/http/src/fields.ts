// Field schemas that more than one service uses.
import { isRawNumber, keptTextOf } from "@tradepost/json";
import { z } from "zod";
import { shaped } from "./shape.ts";

// Control characters (Unicode's category Cc), which could change how a terminal or a page shows a text. U+0000 is refused
// everywhere, by `findUnstorable`. All but line breaks and tabs are refused where a text may have lines.
const CONTROL = "\\u0001-\\u001f\\u007f-\\u009f";
const CONTROL_IN_LINES = "\\u0001-\\u0008\\u000b\\u000c\\u000e-\\u001f\\u007f-\\u009f";
const HAS_CONTROL = new RegExp(`[${CONTROL}]`);
const HAS_CONTROL_IN_LINES = new RegExp(`[${CONTROL_IN_LINES}]`);

/** The fault of a text with control characters, else null. `hasLines` allows line breaks and tabs (interface §1). */
export function controlFault(value: string, hasLines: boolean): string | null {
  if (!(hasLines ? HAS_CONTROL_IN_LINES : HAS_CONTROL).test(value)) return null;
  return `must not contain control characters${hasLines ? " other than line breaks and tabs" : ""}`;
}

/**
 * A text of at most `charactersMax` characters. It has one line without control characters, and does not consist of white space
 * only; `hasLines` allows line breaks and tabs, `mayBeEmpty` a text without a character to see (interface §1).
 */
export function text(
  charactersMax: number,
  { hasLines = false, mayBeEmpty = false }: { hasLines?: boolean; mayBeEmpty?: boolean } = {},
) {
  const refused = (hasLines ? CONTROL_IN_LINES : CONTROL).replace("\\u0001", "\\u0000");
  const shape = mayBeEmpty ? `^[^${refused}]*$` : `^[^${refused}]*[^\\s${refused}][^${refused}]*$`;
  return shaped(
    z
      .string("must be a string")
      .max(charactersMax, `must be at most ${charactersMax} characters`)
      .refine((value) => mayBeEmpty || value.trim() !== "", "must not be empty")
      .superRefine((value, context) => {
        const message = controlFault(value, hasLines);
        if (message !== null) context.addIssue({ code: "custom", message });
      }),
    z.string().max(charactersMax).regex(new RegExp(shape)),
  );
}

// RFC 5321: at most 64 characters, an @ and at most 255 characters.
const EMAIL_CHARACTERS_MAX = 320;

/** An e-mail address of at most 320 characters. Longer texts are not parsed. */
export const email = shaped(
  z
    .string("must be an e-mail address")
    .max(EMAIL_CHARACTERS_MAX, {
      error: `must be at most ${EMAIL_CHARACTERS_MAX} characters`,
      abort: true,
    })
    .pipe(z.email("must be an e-mail address")),
  z.email().max(EMAIL_CHARACTERS_MAX),
);

/** A time with its offset from UTC. It stays text; a `.transform` or `.refine` that follows only sees valid times. */
export const timestamp = z.iso.datetime({
  offset: true,
  abort: true,
  error: ({ input }) => {
    const rule = "must be an ISO 8601 timestamp with its offset, like 2026-08-20T09:30:00Z";
    // A query in which the `+` of the offset is not encoded.
    const hasBlank = typeof input === "string" && / \d\d:\d\d$/.test(input);
    return hasBlank ? `${rule}; in a query, the "+" of an offset must be sent as %2B` : rule;
  },
});

const TIME_CHARACTERS_MAX = 64;
// ISO 8601 allows other years, offsets and lengths, for which Postgres reports an error.
const postgresAccepts = (time: string) =>
  /^(?!0000).*(Z|[+-](0\d|1[0-5]):\d\d)$/.test(time) && time.length <= TIME_CHARACTERS_MAX;

/** A `timestamp` that Postgres accepts. It stays text: Postgres compares every digit, a Date has only milliseconds. */
export const storableTime = timestamp.refine(
  postgresAccepts,
  `must be after the year 0, less than 16 hours from UTC, and at most ${TIME_CHARACTERS_MAX} characters`,
);

const METADATA_KIB_MAX = 64;

/**
 * True if the value's JSON text, as it came, has at most `kibMax` KiB. The text of a member that the route names in `keepsTextOf` is
 * known; other values pass.
 */
export function isJsonWithin(value: object, kibMax: number): boolean {
  const text = keptTextOf(value);
  return text === undefined || Buffer.byteLength(text) <= kibMax * 1024;
}

/** An object with any keys, which is returned verbatim (interface §1). */
export const jsonObject = shaped(
  z.custom<Record<string, unknown>>(
    (value) => typeof value === "object" && value !== null && !Array.isArray(value) && !isRawNumber(value),
    "must be an object",
  ),
  z.looseObject({}).describe("An object with any fields"),
);

/** A `jsonObject` of at most 64 KiB of JSON text: metadata (interface §1). */
export const metadata = shaped(
  jsonObject.refine(
    (value) => isJsonWithin(value, METADATA_KIB_MAX),
    `must be at most ${METADATA_KIB_MAX} KiB of JSON`,
  ),
  z.looseObject({}).describe(`An object with any fields, at most ${METADATA_KIB_MAX} KiB of JSON text`),
);
