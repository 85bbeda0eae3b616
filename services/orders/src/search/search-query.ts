// The query field `search` (interface §19), and the conditions with which lists use it.
//
// The list first counts how many rows the tables of words have for each word. If a word is rare, its rows are the candidates. If
// every word is common, a walk comes first: it reads the newest rows that match the other filters and compares their
// `search_text`, which usually fills a page. Only if it does not, because the words are rarely together or not recent, is the
// page read through the tables of words.
import { shaped } from "@tradepost/http";
import type { Tenant } from "@tradepost/postgres";
import { type RawBuilder, sql } from "kysely";
import { z } from "zod";
import type { Tables } from "../tables.ts";
import { wordsOfSearch } from "./search-words.ts";

const CHARACTERS_MIN = 2;
const CHARACTERS_MAX = 100;
const WORDS_MAX = 8;

export const search = shaped(
  z
    .string()
    .min(CHARACTERS_MIN, `must be at least ${CHARACTERS_MIN} characters`)
    .max(CHARACTERS_MAX, `must be at most ${CHARACTERS_MAX} characters`)
    .transform((text, context): readonly [string, ...string[]] => {
      const [first, ...others] = wordsOfSearch(text);
      if (first !== undefined && others.length < WORDS_MAX) return [first, ...others];
      const message = first === undefined ? "must contain a word" : `must have at most ${WORDS_MAX} words`;
      context.addIssue({ code: "custom", message });
      return z.NEVER;
    }),
  z.string().min(CHARACTERS_MIN).max(CHARACTERS_MAX),
);

/** The number of rows that the walk reads, in about 10 ms. */
export const WALKED_ROWS_MAX = 3_000;

/**
 * Returns the condition that each of the words begins a word of the text, which has the form of the column `search_text`. The words are
 * compared in their order up to the first that is missing.
 */
export function hasWords(text: RawBuilder<string>, words: readonly string[]): RawBuilder<boolean> {
  const begins = words.map((word) => sql`strpos(searched.text, ${` ${word}`}) > 0`);
  return sql<boolean>`(select ${sql.join(begins, sql` and `)} from (select ${text} as text offset 0) searched)`;
}

/** Returns the condition for rows of a table of words whose word begins with this one. */
export function inRange(word: string): RawBuilder<boolean> {
  return sql<boolean>`word >= ${word} and word < ${endOfRange(word)}`;
}

const LAST_CHARACTER = "\u{10ffff}";

function endOfRange(word: string): string {
  return word + LAST_CHARACTER;
}

export interface WordCount {
  readonly word: string;
  readonly customers: number;
  /** Rows for words of the order itself, not of its customer. */
  readonly orders: number;
}

// Counting takes about a millisecond for each word.
const COUNTED_ROWS_MAX = 3_000;
// Finding and sorting the orders of this many rows takes about 10 ms.
const FEW_ROWS_MAX = 500;

export async function countWords(
  tenant: Tenant<Tables>,
  words: readonly string[],
  { ofOrders }: { ofOrders: boolean },
): Promise<WordCount[]> {
  const count = (table: "customer_words" | "order_words") => sql`(
    select count(*) from (
      select from ${sql.table(table)}
       where tenant_id = ${tenant.tenantId} and word >= first and word < last limit ${sql.lit(COUNTED_ROWS_MAX)}) found)::int`;
  const query = sql<WordCount>`
    select first as word, ${count("customer_words")} as customers, ${ofOrders ? count("order_words") : sql`0`} as orders
      from unnest(${words}::text[], ${words.map(endOfRange)}::text[]) as range (first, last)`;
  const { rows } = await query.execute(tenant.db);
  return rows.sort((a, b) => rowsOf(a) - rowsOf(b));
}

/**
 * Decides how to read a list: not at all if a word does not occur, through the rarest word if few rows have it, else the newest
 * rows first.
 */
export function planOf(counts: readonly WordCount[]): "nothing" | "by words" | "walk first" {
  const fewest = Math.min(...counts.map(rowsOf));
  if (fewest === 0) return "nothing";
  return fewest <= FEW_ROWS_MAX ? "by words" : "walk first";
}

function rowsOf({ customers, orders }: WordCount): number {
  return customers + orders;
}
