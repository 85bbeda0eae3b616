// Recognises the passwords that attackers try first. The list holds the 49,000 most common ones, so it covers the 10,000
// that the contract names and the longer ones that are less common. Pure.
import { dictionary } from "@zxcvbn-ts/language-common";

const COMMON: ReadonlySet<string> = new Set(dictionary["passwords-common"]);

// A longer addition makes up for the word: it takes more guesses than the rest of a password of the least length.
const ADDED_CHARACTERS_MAX = 8;
// `abcabcabcabc` is no better than one repeated character.
const MONOTONOUS_CHARACTERS_MAX = 3;

/**
 * True for a common password in any case of letters; for up to 3 characters that are repeated, blanks too; for a common
 * password that is repeated; and for one with up to 8 digits or signs around it, like `password1234` and `!Monkey-2024!`.
 */
export function isCommonPassword(password: string): boolean {
  const given = password.normalize("NFKC").toLowerCase();
  const word = lettersAndBetween(given);
  const isDecorated = given.length - word.length <= ADDED_CHARACTERS_MAX;
  return isListed(given) || isListed(given.trim()) || (isDecorated && isListed(word));
}

function isListed(text: string): boolean {
  const unit = text.slice(0, periodOf(text));
  const isMonotonous = unit.length < text.length && unit.length <= MONOTONOUS_CHARACTERS_MAX;
  return isMonotonous || COMMON.has(text) || COMMON.has(unit);
}

/** The text without the digits, signs and blanks before its first letter and after its last. */
function lettersAndBetween(text: string): string {
  const characters = [...text];
  const isLetter = (character: string) => /\p{L}/u.test(character);
  const first = characters.findIndex(isLetter);
  return first === -1 ? "" : characters.slice(first, characters.findLastIndex(isLetter) + 1).join("");
}

/** The length of the shortest text that gives this one when it is repeated; the whole length if there is none. */
function periodOf(text: string): number {
  // The second occurrence of a text in itself doubled lies one period after the first.
  return (text + text).indexOf(text, 1);
}
