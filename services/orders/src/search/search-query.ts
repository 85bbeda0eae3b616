// The query field `search` (interface §19), and the conditions by which lists find what it names.
//
// The tables of words say first how many rows have each word. A word that few rows have leads to them. If each word is common, the walk
// comes first: it reads the newest rows that match the other filters, and compares their `search_text`, which fills a page soon. A page that
// it does not fill is read by the tables after all: only words that are common, but not together, or not of late, take longer.
import { shaped } from "@tradepost/http";
import type { TenantDatabase } from "@tradepost/postgres";
import { type RawBuilder, sql } from "kysely";
import { z } from "zod";
import type { Tables } from "../tables.ts";
import { wordsOfSearch } from "./search-words.ts";

const CHARACTERS_MIN = 2;
const CHARACTERS_MAX = 100;

/** The field's words, at least one. */
export const search = shaped(
  z
    .string()
    .min(CHARACTERS_MIN, `must be at least ${CHARACTERS_MIN} characters`)
    .max(CHARACTERS_MAX, `must be at most ${CHARACTERS_MAX} characters`)
    .transform((text, context): readonly [string, ...string[]] => {
      const [first, ...others] = wordsOfSearch(text);
      if (first !== undefined) return [first, ...others];
      context.addIssue({ code: "custom", message: "must contain a word" });
      return z.NEVER;
    }),
  z.string().min(CHARACTERS_MIN).max(CHARACTERS_MAX),
);

/** What the walk reads, in about 10 ms. */
export const WALKED_ROWS_MAX = 3_000;

/** Whether each of the words begins a word of the text, which is as the column `search_text` has it. */
export function hasWords(text: RawBuilder<string>, words: readonly string[]): RawBuilder<boolean> {
  const begins = words.map((word) => ` ${word}`);
  if (begins.length === 1) return sql<boolean>`strpos(${text}, ${begins[0]}) > 0`;
  return sql<boolean>`(select bool_and(strpos(searched.text, begin) > 0)
                         from (select ${text} as text offset 0) searched, unnest(${begins}::text[]) begin)`;
}

/** The rows of a table of words whose word begins with this one. */
export function inRange(word: string): RawBuilder<boolean> {
  return sql<boolean>`word >= ${word} and word < ${endOfRange(word)}`;
}

// No character is above this one, and no text has it.
const LAST_CHARACTER = "\u{10ffff}";

function endOfRange(word: string): string {
  return word + LAST_CHARACTER;
}

/** How many rows of the tables of words have a word that begins with this one, up to a bound. */
export interface WordCount {
  readonly word: string;
  readonly customers: number;
  /** By an order's own words. */
  readonly orders: number;
}

// Counting takes about a millisecond for each word.
const COUNTED_ROWS_MAX = 3_000;
// Their orders are found and sorted in about 10 ms.
const FEW_ROWS_MAX = 500;

/** Ordered by the number of rows, the rarest word first. */
export async function countWords(
  tenant: TenantDatabase<Tables>,
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

/** How to read a list: not at all if a word is nowhere, by the rarest word if few rows have it, else the newest rows first. */
export function planOf(counts: readonly WordCount[]): "nothing" | "by words" | "walk first" {
  const fewest = Math.min(...counts.map(rowsOf));
  if (fewest === 0) return "nothing";
  return fewest <= FEW_ROWS_MAX ? "by words" : "walk first";
}

function rowsOf({ customers, orders }: WordCount): number {
  return customers + orders;
}
