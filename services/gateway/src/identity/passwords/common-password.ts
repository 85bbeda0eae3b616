// Recognizes passwords that attackers try first, from a list of 49,000. Pure.
import { createRequire } from "node:module";
import { invalid } from "@tradepost/http";

const require = createRequire(import.meta.url);
let commonPasswords: ReadonlySet<string> | undefined;

/** The list takes several MB, and most processes check no password. */
function listed(): ReadonlySet<string> {
  if (commonPasswords === undefined) {
    const { dictionary } =
      require("@zxcvbn-ts/language-common") as typeof import("@zxcvbn-ts/language-common");
    commonPasswords = new Set(dictionary["passwords-common"]);
  }
  return commonPasswords;
}

// A common password with more added characters than this is hard to guess.
const ADDED_CHARACTERS_MAX = 8;
// `abcabcabcabc` is as easy to guess as one repeated character.
const MONOTONOUS_CHARACTERS_MAX = 3;

/**
 * Recognizes listed passwords in upper case, repeated, or with up to 8 digits or signs around, like `!Monkey-2024!`; and up to 3
 * repeated characters.
 */
export function isCommonPassword(password: string): boolean {
  const normalized = password.normalize("NFKC").toLowerCase();
  const word = firstToLastLetter(normalized);
  const isDecorated = normalized.length - word.length <= ADDED_CHARACTERS_MAX;
  return isListed(normalized) || isListed(normalized.trim()) || (isDecorated && isListed(word));
}

/** Ignores the case of letters. */
export function refuseOwnEmail(path: string, password: string, email: string): void {
  if (password.normalize("NFKC").toLowerCase() !== email.toLowerCase()) return;
  throw invalid([{ path, message: "must not be the e-mail" }]);
}

function isListed(text: string): boolean {
  const unit = text.slice(0, periodOf(text));
  const isMonotonous = unit.length < text.length && unit.length <= MONOTONOUS_CHARACTERS_MAX;
  return isMonotonous || listed().has(text) || listed().has(unit);
}

function firstToLastLetter(text: string): string {
  const characters = [...text];
  const isLetter = (character: string) => /\p{L}/u.test(character);
  const first = characters.findIndex(isLetter);
  return first === -1 ? "" : characters.slice(first, characters.findLastIndex(isLetter) + 1).join("");
}

/** The length of the shortest text that yields this one when repeated. */
function periodOf(text: string): number {
  // In the doubled text, it occurs again one period after its start.
  return (text + text).indexOf(text, 1);
}
