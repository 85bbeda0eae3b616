// The query field `search` of lists (interface §19), and the condition with which they compare a text.
import { shaped } from "@tradepost/http";
import { type RawBuilder, sql } from "kysely";
import { z } from "zod";
import { type SearchedWord, wordsOfSearch } from "./search-words.ts";

const CHARACTERS_MIN = 2;
const CHARACTERS_MAX = 100;
const WORDS_MAX = 8;

/** The query field `search`: 1 to 8 words, each of which must begin a word of what is found. */
export const search = shaped(
  z
    .string()
    .min(CHARACTERS_MIN, `must be at least ${CHARACTERS_MIN} characters`)
    .max(CHARACTERS_MAX, `must be at most ${CHARACTERS_MAX} characters`)
    .transform((text, context): readonly [SearchedWord, ...SearchedWord[]] => {
      const [first, ...others] = wordsOfSearch(text);
      if (first !== undefined && others.length < WORDS_MAX) return [first, ...others];
      const message = first === undefined ? "must contain a word" : `must have at most ${WORDS_MAX} words`;
      context.addIssue({ code: "custom", message });
      return z.NEVER;
    }),
  z.string().min(CHARACTERS_MIN).max(CHARACTERS_MAX),
);

/**
 * Returns the condition that each of the words begins a word of the text, which `searchTextOf` made. Words are compared in order
 * up to the first that is missing.
 */
export function hasWords(text: RawBuilder<string>, words: readonly SearchedWord[]): RawBuilder<boolean> {
  const begins = words.map((spellings) => {
    const any = spellings.map((word) => sql`strpos(searched.text, ${` ${word}`}) > 0`);
    return sql`(${sql.join(any, sql` or `)})`;
  });
  return sql<boolean>`(select ${sql.join(begins, sql` and `)} from (select ${text} as text offset 0) searched)`;
}
