// The words by which orders and customers are found (interface §19). Case and accents do not matter. A word begins after a blank,
// and at each letter or digit that follows another character: `ada@example.com` has the words `ada@example.com`, `example.com`
// and `com`. Words are compared by their first 40 characters. The bounds keep small what a request makes the tables of words grow
// by. Pure.

const WORD_CHARACTERS_MAX = 40;
const WORDS_OF_VALUE_MAX = 16;
const WORDS_OF_ROW_MAX = 64;
// Two identifiers, a time and the headers of a row, in the table and in its index.
const WORD_ROW_BYTES = 150;

// As people paste it: "#1001", "Bestellung #1001".
const BEFORE_NUMBER = /^\s*(?:(?:order|bestellung|auftrag|commande|pedido|ordine)\s+)?#?(?=\d)/u;

export function wordsOfSearch(text: string): string[] {
  return parts(normalized(text).replace(BEFORE_NUMBER, "")).map(cut);
}

/** Returns the words of these values, without repetitions. Those that follow a blank come first where there are too many. */
export function wordsOf(values: readonly (string | null | undefined)[]): string[] {
  const words = values
    .filter((value) => typeof value === "string")
    .map((value) => {
      const outer = parts(value);
      const all = unique([...outer, ...outer.flatMap(innerWords)].map(cut)).slice(0, WORDS_OF_VALUE_MAX);
      return [all.slice(0, outer.length), all.slice(outer.length)] as const;
    });
  const outer = words.flatMap(([first]) => first);
  return unique([...outer, ...words.flatMap(([, inner]) => inner)]).slice(0, WORDS_OF_ROW_MAX);
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

export function bytesOfWords(words: readonly string[]): number {
  return words.reduce((sum, word) => sum + WORD_ROW_BYTES + 3 * Buffer.byteLength(word), 0);
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

function parts(text: string): string[] {
  return normalized(text).split(/\s+/u).filter(Boolean);
}

function innerWords(part: string): string[] {
  return [...part.matchAll(/(?<=[^\p{L}\p{N}])[\p{L}\p{N}]/gu)]
    .slice(0, WORDS_OF_VALUE_MAX)
    .map(({ index }) => part.slice(index));
}

function cut(word: string): string {
  return word.length <= WORD_CHARACTERS_MAX ? word : [...word].slice(0, WORD_CHARACTERS_MAX).join("");
}

function unique(words: readonly string[]): string[] {
  return [...new Set(words)];
}
