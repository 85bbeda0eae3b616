import type { ItemOf } from "@tradepost/client/operations";
import { isUuid } from "./search-values.ts";
import { number } from "./shop.ts";

/** `expiresAt` and `expires_at` become `Expires at`. */
export function wordsOf(name: string): string {
  const words = name
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .replaceAll("_", " ")
    .trim()
    .toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** `1 order`, `1,234 orders`. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${number(count)} ${count === 1 ? one : many}`;
}

/** The options of a field or a filter, from the words of its values. */
export function optionsOf(words: Readonly<Record<string, string | { readonly text: string }>>) {
  return Object.entries(words).map(([value, word]) => ({
    value,
    text: typeof word === "string" ? word : word.text,
  }));
}

const LISTS = new Intl.ListFormat("en-GB", { type: "conjunction" });

/** `a, b and c`. */
export function listed(parts: readonly string[]): string {
  return LISTS.format(parts);
}

export function linesOf(value: unknown): string[] {
  const lines = String(value ?? "").split("\n");
  return lines.map((line) => line.trim()).filter(Boolean);
}

/** `3`; `100+` if not all were read. */
export function countText(count: number, hasMore: boolean): string {
  return hasMore ? `${count}+` : String(count);
}

export function bellText(count: number, hasMore: boolean): string {
  return count === 0 ? "Notices" : `Notices: ${hasMore ? `${count} or more` : count} open`;
}

const UNITS = ["B", "kB", "MB", "GB"];
const STEP = 1_000;

/** `512 B`, `1.2 kB`, `10.7 GB`, `250 MB`: at most three digits. */
export function size(bytes: number): string {
  let amount = bytes;
  let unit = 0;
  // An amount that would be rounded to 1,000 is shown in the next unit.
  while (amount >= STEP - 0.5 && unit < UNITS.length - 1) {
    amount /= STEP;
    unit += 1;
  }
  const digits = unit === 0 || amount >= 99.95 ? 0 : 1;
  return `${number(amount, digits)} ${UNITS[unit]}`;
}

/** The title of an entry, as the platform finds it: its field `title`, or else its first text. */
export function entryTitle({ data, slug }: Pick<ItemOf<"listEntries">, "data" | "slug">): string {
  const texts = [data.title, ...Object.values(data)];
  const text = texts.find((value) => typeof value === "string" && value.trim() !== "" && !isUuid(value));
  return typeof text === "string" ? text : slug;
}
