// JSON.parse that loses no digit: metadata is promised back verbatim, and a double holds only 15 to 17 digits.
// Used where bodies come in (http), where json columns are read (postgres) and where events are decoded (messaging).

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
 * `JSON.stringify` writes back digit for digit (and that no number schema accepts). Throws SyntaxError.
 * The slow path runs only where such a number may occur. Carries out the specification's "returned verbatim".
 */
export function parseJson(text: string): unknown {
  if (!RISKY_NUMBER.test(text)) return JSON.parse(text);
  return parseWithSource(text, (_key, value, { source }) =>
    typeof value === "number" && source !== undefined && !isExact(value, source) ? rawJson(source) : value,
  );
}

function isExact(value: number, source: string): boolean {
  return Number.isFinite(value) && normalForm(String(value)) === normalForm(source);
}

/** Sign, digits without outer zeros, and the power of ten: equal for equal decimals however they are written. */
function normalForm(decimal: string): string {
  const [mantissa = "", exponent = "0"] = decimal.toLowerCase().split("e");
  const sign = mantissa.startsWith("-") ? "-" : "";
  const [whole = "", fraction = ""] = mantissa.replace("-", "").split(".");
  const digits = (whole + fraction).replace(/^0+/, "");
  const significant = digits.replace(/0+$/, "");
  if (significant === "") return "0";
  return `${sign}${significant}e${Number(exponent) - fraction.length + (digits.length - significant.length)}`;
}

/** True for what `parseJson` keeps in place of a number that a double cannot hold. */
export function isRawNumber(value: unknown): boolean {
  return isRawJSON(value);
}

/** The JSON text of a value with its names in order: equal for what differs only in how it is spaced or ordered. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join()}]`;
  if (typeof value !== "object" || value === null || isRawJSON(value)) return JSON.stringify(value) ?? "";
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${canonicalJson(member)}`).join()}}`;
}
