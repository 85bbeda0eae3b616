// Field schemas that more than one service uses, with their bounds.
import { isRawNumber } from "@tradepost/runtime";
import { z } from "zod";

/** Text of 1 to `charactersMax` characters that is not only blanks. */
export function text(charactersMax: number) {
  return z
    .string("must be a string")
    .max(charactersMax, `must be at most ${charactersMax} characters`)
    .refine((value) => value.trim() !== "", "must not be empty");
}

// RFC 5321: 64 characters, an @ and 255 more.
const EMAIL_CHARACTERS_MAX = 320;

/** An e-mail address of at most 320 characters; a longer text is not looked at. */
export const email = z
  .string("must be an e-mail address")
  .max(EMAIL_CHARACTERS_MAX, {
    error: `must be at most ${EMAIL_CHARACTERS_MAX} characters`,
    abort: true,
  })
  .pipe(z.email("must be an e-mail address"));

/** An object kept and given back verbatim, whatever its keys (contract §1: metadata and addresses). */
export const jsonObject = z.custom<Record<string, unknown>>(
  (value) => typeof value === "object" && value !== null && !Array.isArray(value) && !isRawNumber(value),
  "must be an object",
);
