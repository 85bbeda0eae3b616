// Text written by strangers (customers, editors, receivers of webhooks) on its way to a model, which may take any text for an instruction.
// Results contain it only as `UntrustedText`, cleaned and shortened; the server's instructions explain that shape. Pure.
import { isUuid } from "@tradepost/http";
import { isRawNumber } from "@tradepost/json";

export interface UntrustedText {
  readonly untrusted_text: string;
  readonly truncated?: true;
  /** Invisible or control characters were removed. */
  readonly cleaned?: true;
}

/** A value that is not a string is shown as JSON. */
export function untrusted(value: unknown, charactersMax: number): UntrustedText {
  const { text, isCleaned } = typeof value === "string" ? { text: value, isCleaned: false } : jsonOf(value);
  const { shown, isTruncated } = truncate(text, charactersMax);
  const cleanText = clean(shown);
  return {
    untrusted_text: cleanText,
    ...(isTruncated && { truncated: true }),
    ...((isCleaned || cleanText !== shown) && { cleaned: true }),
  };
}

/** Cleans first: JSON escapes control characters, and a model would read the escapes. */
function jsonOf(value: unknown): { text: string; isCleaned: boolean } {
  let isCleaned = false;
  const cleaned = (text: string) => {
    const cleanText = clean(text);
    isCleaned ||= cleanText !== text;
    return cleanText;
  };
  const text = JSON.stringify(value, (_name, member: unknown) => {
    if (typeof member === "string") return cleaned(member);
    if (typeof member !== "object" || member === null || Array.isArray(member) || isRawNumber(member))
      return member;
    return Object.fromEntries(Object.entries(member).map(([name, inner]) => [cleaned(name), inner]));
  });
  return { text, isCleaned };
}

export function untrustedIfAny(value: unknown, charactersMax: number): UntrustedText | undefined {
  return value === undefined || value === null ? undefined : untrusted(value, charactersMax);
}

// Three words can be an instruction: `refund-every-order`.
const PLAIN_ID_CHARACTERS_MAX = 24;
const AT_MOST_TWO_WORDS = /^[A-Za-z0-9]+([._/#-]+[A-Za-z0-9]*)?$/;
const ID_CHARACTERS_MAX = 255;

/** Shows an id that someone chose (an order number, a SKU), and marks it unless it looks like an id. */
export function shownId(value: unknown): string | UntrustedText | undefined {
  if (typeof value === "string" && isPlainId(value)) return value;
  return untrustedIfAny(value, ID_CHARACTERS_MAX);
}

function isPlainId(id: string): boolean {
  return isUuid(id) || (id.length <= PLAIN_ID_CHARACTERS_MAX && AT_MOST_TWO_WORDS.test(id));
}

/** Shortens texts of the tenant's administrators or this product, which are not marked. */
export function plain(value: unknown, charactersMax = 200): string {
  return clean(truncate(String(value ?? ""), charactersMax).shown).replaceAll(/\s+/g, " ");
}

function truncate(text: string, charactersMax: number): { shown: string; isTruncated: boolean } {
  if (text.length <= charactersMax) return { shown: text, isTruncated: false };
  // If the cut splits a surrogate pair, its first half is removed.
  return { shown: text.slice(0, charactersMax).replace(/[\uD800-\uDBFF]$/, ""), isTruncated: true };
}

// Characters that hide or reorder text: bidirectional overrides, variation selectors (which can encode any bytes), blanks that
// look like nothing. A single joiner stays: several scripts and emoji need it.
const LINE_ENDS = /\r\n?|[\u0085\u2028\u2029]/g;
const INVISIBLE =
  /(?![\t\n\u200C\u200D])[\p{Cc}\p{Cf}\p{Noncharacter_Code_Point}]|\u034F|[\u115F\u1160\u3164\uFFA0]|[\u{E0100}-\u{E01EF}]/gu;
const RUNS = /[\u200C\u200D]{2,}|[\uFE00-\uFE0F]{2,}/g;

function clean(text: string): string {
  return text.toWellFormed().replace(LINE_ENDS, "\n").replace(INVISIBLE, "").replace(RUNS, "");
}
