// What customers store for the search, and what words cost. Pure.
import { wordsOf } from "@tradepost/search";

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

/** Returns the words of a customer. A phone number is found with and without its blanks and punctuation, and by its end. */
export function wordsOfCustomer({ name, email, phone }: Searchable): string[] {
  return wordsOf([name, email, phone, phone?.replace(/[^+\p{Nd}]/gu, "")], { phones: [phone] });
}
