// How lists of orders and customers search (interface §19).
//
// A search first counts how many rows the tables of words have for each word. If a word is rare, its rows are the candidates. If every
// word is common, a walk reads the newest rows that match the other filters and compares their `search_text`, which usually
// fills a page. If not, the page is read through the tables of words.

import { COUNT_MAX, countRows, type SearchedWord, wordsOf } from "@tradepost/search";
import { type Expression, sql } from "kysely";
import type { Tenant } from "../tables.ts";

// Reading them takes about 10 ms.
const WALKED_ROWS_MAX = 3_000;

/** The newest rows that a count, or a list with a condition that no index supports, searches, in about 50 ms. */
export const SEARCHED_ROWS_MAX = 10_000;

/** How to read a list. Each statement selects up to one row more than its limit. */
interface Search<Row> {
  readonly plan: "all" | "walk" | "walk first" | "by words";
  readonly newest: (limit: number) => Expression<Row>;
  /** Searches only the newest `rowsMax`. */
  readonly ofNewest: (rowsMax: number, limit: number) => Expression<Row>;
  readonly byWords: (limit: number) => Expression<Row>;
}

/** Reads a page by any plan but `walk`, whose pages end where the walk does. */
export async function readFound<Row, Page extends { readonly hasMore: boolean }>(
  { plan, newest, ofNewest, byWords }: Search<Row>,
  limit: number,
  read: (rows: Expression<Row>) => Promise<Page>,
): Promise<Page> {
  if (plan === "all") return await read(newest(limit));
  if (plan === "walk first") {
    const walked = await read(ofNewest(WALKED_ROWS_MAX, limit));
    if (walked.hasMore) return walked;
  }
  return await read(byWords(limit));
}

/** `search` is null if no row can match. */
export async function countFound<Row>(tenant: Tenant, search: Search<Row> | null) {
  if (search === null) return { count: 0, countIsMore: false };
  const { plan, newest, ofNewest, byWords } = search;
  if (plan === "all") return await countRows(tenant, newest(COUNT_MAX));
  if (plan === "by words") return await countRows(tenant, byWords(COUNT_MAX));
  return await countRows(tenant, ofNewest(SEARCHED_ROWS_MAX, COUNT_MAX), async () => {
    const rows = newest(SEARCHED_ROWS_MAX);
    const more = await sql`select from (${rows}) walked offset ${SEARCHED_ROWS_MAX} limit 1`.execute(
      tenant.db,
    );
    return more.rows.length > 0;
  });
}

type TableOfWords = "customer_words" | "order_words";

/** Rows whose word begins with a spelling of `word`. The planner estimates their number only if the bounds are values. */
export function rowsWith(table: TableOfWords, { tenantId }: Tenant, word: SearchedWord) {
  const ranges = word.map(
    (first) => sql`
      select * from ${sql.table(table)} where tenant_id = ${tenantId} and word >= ${first} and word < ${endOfRange(first)}`,
  );
  return sql`(${sql.join(ranges, sql` union all `)})`;
}

const LAST_CHARACTER = "\u{10ffff}";

function endOfRange(word: string): string {
  return word + LAST_CHARACTER;
}

export interface WordCount {
  readonly word: SearchedWord;
  readonly customers: number;
  /** Rows for words of the order itself, not of its customer. */
  readonly orders: number;
}

// Counting takes about a millisecond for each word.
const COUNTED_ROWS_MAX = 3_000;
// Finding and sorting their orders takes about 10 ms.
const FEW_ROWS_MAX = 500;

export async function countWords(
  tenant: Tenant,
  words: readonly SearchedWord[],
  { ofOrders }: { ofOrders: boolean },
): Promise<WordCount[]> {
  if (words.length === 0) return [];
  const count = (table: TableOfWords) => sql`(
    select count(*) from (
      select from ${sql.table(table)}
       where tenant_id = ${tenant.tenantId} and word >= first and word < last limit ${sql.lit(COUNTED_ROWS_MAX)}) found)::int`;
  const ranges = words.flatMap((word, position) => word.map((first) => ({ position, first })));
  const query = sql<Omit<WordCount, "word"> & { position: number }>`
    select position, ${count("customer_words")} as customers, ${ofOrders ? count("order_words") : sql`0`} as orders
      from unnest(${ranges.map(({ position }) => position)}::int[], ${ranges.map(({ first }) => first)}::text[],
                  ${ranges.map(({ first }) => endOfRange(first))}::text[]) as range (position, first, last)`;
  const { rows } = await query.execute(tenant.db);
  const counts = words.map((word, position) => {
    const ofWord = rows.filter((row) => row.position === position);
    const sum = (of: "customers" | "orders") => ofWord.reduce((total, row) => total + row[of], 0);
    return { word, customers: sum("customers"), orders: sum("orders") };
  });
  return counts.sort((a, b) => rowsOf(a) - rowsOf(b));
}

/** `all` without words; null if a word does not occur; `by words` if few rows have the rarest word, else `walk first`. */
export function planOf(counts: readonly WordCount[]): "all" | "by words" | "walk first" | null {
  if (counts.length === 0) return "all";
  const fewest = Math.min(...counts.map(rowsOf));
  if (fewest === 0) return null;
  return fewest <= FEW_ROWS_MAX ? "by words" : "walk first";
}

function rowsOf({ customers, orders }: WordCount): number {
  return customers + orders;
}

// Two identifiers, a time and the headers of a row, in the table and in its index.
const WORD_ROW_BYTES = 150;

export function bytesOfWords(words: readonly string[]): number {
  return words.reduce((sum, word) => sum + WORD_ROW_BYTES + 3 * Buffer.byteLength(word), 0);
}

interface Searchable {
  readonly name: string;
  readonly email?: string | null | undefined;
  readonly phone?: string | null | undefined;
}

/** A phone number is found with and without its blanks and punctuation, and by its end. */
export function wordsOfCustomer({ name, email, phone }: Searchable): string[] {
  return wordsOf([name, email, phone, phone?.replace(/[^+\p{Nd}]/gu, "")], { phones: [phone] });
}
