// The words by which orders and customers are found (interface §19). Case and accents do not matter. A word begins after a blank, and
// at each letter or digit after another character: `ada@example.com` has the words `ada@example.com`, `example.com` and `com`. Pure.

// As many as a search has. Longer words differ in what no search can name.
const WORD_CHARACTERS_MAX = 100;

/** The words of a search, which are separated by blanks. */
export function wordsOfSearch(text: string): string[] {
  return [...new Set(normalized(text).split(/\s+/u).filter(Boolean).map(cut))];
}

/** The words of these values, each once. */
export function wordsOf(values: readonly (string | null | undefined)[]): string[] {
  const words = values
    .filter((value) => typeof value === "string")
    .flatMap((value) => normalized(value).split(/\s+/u))
    .flatMap((part) => [part, ...innerWords(part)]);
  return [...new Set(words.filter(Boolean).map(cut))];
}

/** Those of a customer. A phone number is found with and without its blanks and marks. */
export function wordsOfCustomer({ name, email, phone }: Searchable): string[] {
  return wordsOf([name, email, phone, phone?.replace(/[^+\p{Nd}]/gu, "")]);
}

interface Searchable {
  readonly name: string;
  readonly email?: string | null | undefined;
  readonly phone?: string | null | undefined;
}

/** As the column `search_text` has them: a word that begins with `x` is found by ` x`. */
export function searchTextOf(words: readonly string[]): string {
  return words.map((word) => ` ${word}`).join("");
}

function normalized(text: string): string {
  // The lower case of Σ is another letter at the end of a word.
  return text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase().replaceAll("ς", "σ");
}

function innerWords(part: string): string[] {
  return [...part.matchAll(/(?<=[^\p{L}\p{N}])[\p{L}\p{N}]/gu)].map(({ index }) => part.slice(index));
}

function cut(word: string): string {
  return word.length <= WORD_CHARACTERS_MAX ? word : [...word].slice(0, WORD_CHARACTERS_MAX).join("");
}
