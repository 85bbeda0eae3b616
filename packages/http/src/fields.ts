// Field schemas that more than one service uses.
import { isRawNumber } from "@tradepost/runtime";
import { z } from "zod";
import { shaped } from "./shape.ts";

/** A text of at most `charactersMax` characters that does not consist of white space only. */
export function text(charactersMax: number) {
  return shaped(
    z
      .string("must be a string")
      .max(charactersMax, `must be at most ${charactersMax} characters`)
      .refine((value) => value.trim() !== "", "must not be empty"),
    z.string().max(charactersMax).regex(/\S/),
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
  error: "must be an ISO 8601 timestamp with its offset, like 2026-08-20T09:30:00Z",
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

/** An object with any keys, which is returned verbatim: metadata and addresses (interface §1). */
export const jsonObject = shaped(
  z.custom<Record<string, unknown>>(
    (value) => typeof value === "object" && value !== null && !Array.isArray(value) && !isRawNumber(value),
    "must be an object",
  ),
  z.looseObject({}).describe("An object with any fields"),
);
