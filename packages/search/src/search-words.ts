// The words by which orders and customers are found (interface §19). Case and accents do not matter. A word begins after a blank, and at
// each letter or digit that follows another character: `ada@example.com` has the words `ada@example.com`, `example.com` and `com`. Words
// are compared by their first 40 characters. The end of a code or of a phone number is the beginning of a word that is reversed. Bounds
// limit the rows that a request adds to tables of words. Pure.

const WORD_CHARACTERS_MAX = 40;
const WORDS_OF_VALUE_MAX = 16;
const WORDS_OF_ROW_MAX = 64;
const SPELLINGS_MAX = 8;
const PHONE_DIGITS_MIN = 7;
const ENDING_CHARACTERS_MIN = 6;

/** The spellings of one word of a search, of which one must match. None is the beginning of another. */
export type SearchedWord = readonly [string, ...string[]];

// As people paste it: "#1001", "Bestellung #1001".
const BEFORE_NUMBER = /^\s*(?:(?:order|bestellung|auftrag|commande|pedido|ordine)\s+)?#?(?=\d)/u;
const PHONE = /^[\d\s+()\-/.]+$/u;

export function wordsOfSearch(text: string): SearchedWord[] {
  const typed = text.normalize("NFKC").toLowerCase().replace(BEFORE_NUMBER, "");
  const digits = digitsOf(typed);
  if (PHONE.test(typed) && digits.length >= PHONE_DIGITS_MIN)
    return [
      shortest([
        cut(typed.replace(/\s/gu, "")),
        cut(digits),
        reversed("P", withoutPrefix(typed.trim(), digits)),
        reversed("E", digits),
      ]),
    ];
  return typed.split(/\s+/u).flatMap((word) => {
    const spellings = spellingsOf(word);
    if (spellings[0] === "") return [];
    const ending = word.length < ENDING_CHARACTERS_MIN ? [] : endingOf(word);
    return [shortest([...spellings, ...ending])];
  });
}

// Typed with or without the country code, of one to three digits, and the 0 of national numbers.
function withoutPrefix(typed: string, digits: string): string {
  const prefix = /^(?:\+|00)/u.test(typed) ? /^(?:00)?\d{3}/u : /^0+/u;
  const most = digits.replace(prefix, "");
  return most.length >= PHONE_DIGITS_MIN ? most : digits.slice(-PHONE_DIGITS_MIN);
}

// Letters that are also written as two, if a keyboard does not have them.
const OTHER_FORMS = new Map(
  Object.entries({ ä: "ae", ö: "oe", ü: "ue", å: "aa", ø: "oe", ae: "a", oe: "o", ue: "u", aa: "a" }),
);

function spellingsOf(word: string): string[] {
  let spellings = [""];
  for (const piece of word.split(/([äöüåø]|[aou]e|aa)/u)) {
    const other = OTHER_FORMS.get(piece);
    const forms = other === undefined || spellings.length === SPELLINGS_MAX ? [piece] : [piece, other];
    spellings = forms.flatMap((form) => spellings.map((spelling) => spelling + normalized(form)));
  }
  return spellings.map(cut);
}

function shortest(spellings: readonly string[]): SearchedWord {
  const [first = "", ...others] = unique(spellings).filter(
    (one, _, all) => !all.some((other) => other !== one && one.startsWith(other)),
  );
  return [first, ...others];
}

type Value = string | null | undefined;

interface Endings {
  /** Values that are also found by their last 6 or more letters and digits. */
  readonly codes?: readonly Value[];
  /** Values that are also found by their last 7 or more digits. */
  readonly phones?: readonly Value[];
}

/** Returns the words of the values, without repetitions. If there are too many, those that follow a blank come first. */
export function wordsOf(values: readonly Value[], { codes = [], phones = [] }: Endings = {}): string[] {
  const endings = [
    ...codes.filter(isText).flatMap(endingOf),
    ...phones
      .filter(isText)
      .map((phone) => digitsOf(normalized(phone)))
      .filter((digits) => digits.length >= PHONE_DIGITS_MIN)
      .map((digits) => reversed("P", digits)),
  ];
  const words = values.filter(isText).map((value) => {
    const outer = parts(value);
    const all = unique([...outer, ...outer.flatMap(innerWords)].map(cut)).slice(0, WORDS_OF_VALUE_MAX);
    return [all.slice(0, outer.length), all.slice(outer.length)] as const;
  });
  const outer = words.flatMap(([first]) => first);
  return unique([...outer, ...endings, ...words.flatMap(([, inner]) => inner)]).slice(0, WORDS_OF_ROW_MAX);
}

function isText(value: Value): value is string {
  return typeof value === "string";
}

function endingOf(value: string): string[] {
  const code = normalized(value).replace(/[^\p{L}\p{N}]/gu, "");
  return code === "" ? [] : [reversed("E", code)];
}

function digitsOf(text: string): string {
  return text.replace(/[^\p{Nd}]/gu, "");
}

// Words have no capital letters, so these mark the ends of codes and of phone numbers.
function reversed(mark: "E" | "P", text: string): string {
  return cut(mark + [...text].reverse().join(""));
}

/** Returns the text that `hasWords` compares: ` x` finds a word that begins with `x`. */
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

const ASCII = /^[\0-\x7f]*$/;

function normalized(text: string): string {
  if (ASCII.test(text)) return text.toLowerCase();
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
