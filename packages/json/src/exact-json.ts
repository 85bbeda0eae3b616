// JSON.parse that keeps every digit: the API returns metadata verbatim, and a double holds only 15 to 17 digits. It reads request
// bodies (http), JSON columns (postgres) and events (messaging). Its time is proportional to the length of any text. Pure.
import { isNestedDeeper } from "./json-depth.ts";

// TypeScript's library does not yet declare JSON.rawJSON and the reviver's third argument.
const { rawJSON: rawJson, isRawJSON } = JSON as unknown as {
  rawJSON(text: string): unknown;
  isRawJSON(value: unknown): boolean;
};
const parseWithSource = JSON.parse as (
  text: string,
  reviver: (key: string, value: unknown, context: { readonly source?: string }) => unknown,
) => unknown;

// Only 16 digits or an exponent can lose digits. The exponent must follow a number at the start of a value; otherwise half of
// all UUIDs would match.
const RISKY_NUMBER = /\d[\d.]{15,}|(?:^|[:[,\s])-?\d+(?:\.\d+)?[eE]/;

/**
 * Parses JSON. A number that a double cannot hold becomes a raw JSON value, which `JSON.stringify` writes digit for digit and no
 * number schema accepts (interface §1, "returned verbatim"). Beyond `JSON_DEPTH_MAX` digits are not kept, because a reviver would
 * overflow the stack.
 * @throws SyntaxError and no other error.
 */
export function parseJson(text: string): unknown {
  if (!RISKY_NUMBER.test(text) || isNestedDeeper(text)) return JSON.parse(text);
  return parseWithSource(text, (_key, value, { source }) =>
    typeof value === "number" && source !== undefined && !isExact(value, source) ? rawJson(source) : value,
  );
}

// Within these magnitudes, a double represents every number of up to 15 significant digits exactly.
const DIGITS_ALWAYS_EXACT = 15;
const MAGNITUDE_MAX = 1e300;
const MAGNITUDE_MIN = 1e-300;
// A double has at most 26 characters; longer texts of the same number only add zeros. The limit keeps the comparison cheap.
const CHARACTERS_COMPARED_MAX = 400;

function isExact(value: number, source: string): boolean {
  if (source.length > CHARACTERS_COMPARED_MAX) return false;
  const magnitude = Math.abs(value);
  const isOrdinary = magnitude > MAGNITUDE_MIN && magnitude < MAGNITUDE_MAX;
  if (isOrdinary && source.length <= DIGITS_ALWAYS_EXACT) return true;
  return Number.isFinite(value) && normalForm(String(value)) === normalForm(source);
}

/** Returns the sign, the digits without outer zeros, and the power of ten. Equal decimals have the same text in any notation. */
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

/** Reports whether `parseJson` returns this for a number that a double cannot hold. */
export function isRawNumber(value: unknown): boolean {
  return isRawJSON(value);
}
