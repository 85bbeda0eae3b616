// The words by which orders and customers are found (interface §19). Case and accents do not matter. A word begins after a blank,
// and at each letter or digit that follows another character: `ada@example.com` has the words `ada@example.com`, `example.com`
// and `com`. Pure.

// The length of the longest search. Longer words could differ only in characters that no search contains.
const WORD_CHARACTERS_MAX = 100;

/** Returns the words of a search, which are separated by blanks. */
export function wordsOfSearch(text: string): string[] {
  return [...new Set(normalized(text).split(/\s+/u).filter(Boolean).map(cut))];
}

/** Returns the words of these values, without repetitions. */
export function wordsOf(values: readonly (string | null | undefined)[]): string[] {
  const words = values
    .filter((value) => typeof value === "string")
    .flatMap((value) => normalized(value).split(/\s+/u))
    .flatMap((part) => [part, ...innerWords(part)]);
  return [...new Set(words.filter(Boolean).map(cut))];
}

/** Returns the words of a customer. A phone number is found with and without its blanks and punctuation. */
export function wordsOfCustomer({ name, email, phone }: Searchable): string[] {
  return wordsOf([name, email, phone, phone?.replace(/[^+\p{Nd}]/gu, "")]);
}

interface Searchable {
  readonly name: string;
  readonly email?: string | null | undefined;
  readonly phone?: string | null | undefined;
}

/** Returns the text for the column `search_text`. In it, a word that begins with `x` is found by ` x`. */
export function searchTextOf(words: readonly string[]): string {
  return words.map((word) => ` ${word}`).join("");
}

// Letters that Unicode does not decompose, as people without them on the keyboard write them. At the end of a word, the lower case
// of Σ is a different letter.
const WRITTEN: Readonly<Record<string, string>> = {
  ß: "ss",
  æ: "ae",
  œ: "oe",
  ø: "o",
  þ: "th",
  ð: "d",
  đ: "d",
  ħ: "h",
  ı: "i",
  ł: "l",
  ŧ: "t",
  ς: "σ",
};
const WRITTEN_LETTER = new RegExp(`[${Object.keys(WRITTEN).join("")}]`, "gu");

function normalized(text: string): string {
  const letters = text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
  return letters.replace(WRITTEN_LETTER, (letter) => WRITTEN[letter] ?? letter);
}

function innerWords(part: string): string[] {
  return [...part.matchAll(/(?<=[^\p{L}\p{N}])[\p{L}\p{N}]/gu)].map(({ index }) => part.slice(index));
}

function cut(word: string): string {
  return word.length <= WORD_CHARACTERS_MAX ? word : [...word].slice(0, WORD_CHARACTERS_MAX).join("");
}
