// JSON.parse that loses no digit: metadata is promised back verbatim, and a double holds only 15 to 17 digits.
// Used where bodies come in (http), where json columns are read (postgres) and where events are decoded (messaging), so
// each step takes time in proportion to the text, whatever it holds.
import { isNestedDeeper } from "./json-depth.ts";

interface ReviverContext {
  readonly source?: string;
}
// The standard's JSON.rawJSON and the reviver's third argument, which TypeScript's library does not have yet.
const { rawJSON: rawJson, isRawJSON } = JSON as unknown as {
  rawJSON(text: string): unknown;
  isRawJSON(value: unknown): boolean;
};
const parseWithSource = JSON.parse as (
  text: string,
  reviver: (key: string, value: unknown, context: ReviverContext) => unknown,
) => unknown;

// Only a number of 16 or more digits, or one with an exponent, can lose something in a double. An exponent is looked
// for where a number may stand, or half of all UUIDs would seem to have one.
const RISKY_NUMBER = /\d[\d.]{15,}|(?:^|[:[,\s])-?\d+(?:\.\d+)?[eE]/;

/**
 * In: JSON text. Out: the value; a number that a double cannot hold is kept as a raw JSON value that
 * `JSON.stringify` writes back digit for digit (and that no number schema accepts). Throws SyntaxError and nothing else.
 * The slow path runs only where such a number may occur. Carries out the specification's "returned verbatim".
 * JSON nested deeper than `JSON_DEPTH_MAX` is read without keeping digits: a reviver would overflow the stack.
 */
export function parseJson(text: string): unknown {
  if (!RISKY_NUMBER.test(text) || isNestedDeeper(text)) return JSON.parse(text);
  return parseWithSource(text, (_key, value, { source }) =>
    typeof value === "number" && source !== undefined && !isExact(value, source) ? rawJson(source) : value,
  );
}

// A double gives back any number of up to 15 significant digits, as long as it is neither too large nor too small.
const DIGITS_ALWAYS_EXACT = 15;
const MAGNITUDE_MAX = 1e300;
const MAGNITUDE_MIN = 1e-300;
// A double written out takes at most 26 characters; longer texts of the same value are nothing but zeros.
const CHARACTERS_COMPARED_MAX = 400;

function isExact(value: number, source: string): boolean {
  if (source.length > CHARACTERS_COMPARED_MAX) return false;
  const magnitude = Math.abs(value);
  const isOrdinary = magnitude > MAGNITUDE_MIN && magnitude < MAGNITUDE_MAX;
  if (isOrdinary && source.length <= DIGITS_ALWAYS_EXACT) return true;
  return Number.isFinite(value) && normalForm(String(value)) === normalForm(source);
}

/** Sign, digits without outer zeros, and the power of ten: equal for equal decimals however they are written. */
function normalForm(decimal: string): string {
  const [mantissa = "", exponent = "0"] = decimal.toLowerCase().split("e");
  const sign = mantissa.startsWith("-") ? "-" : "";
  const [whole = "", fraction = ""] = mantissa.replace("-", "").split(".");
  const digits = whole + fraction;
  let start = 0;
  while (digits[start] === "0") start += 1;
  let end = digits.length;
  while (end > start && digits[end - 1] === "0") end -= 1;
  if (start === end) return "0";
  return `${sign}${digits.slice(start, end)}e${Number(exponent) - fraction.length + (digits.length - end)}`;
}

/** True for what `parseJson` keeps in place of a number that a double cannot hold. */
export function isRawNumber(value: unknown): boolean {
  return isRawJSON(value);
}
