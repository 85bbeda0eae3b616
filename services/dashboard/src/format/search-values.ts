// Reads the values of search parameters. A person can type anything into the address bar. Pure.
import { instantOf } from "./time.ts";

const TEXT_CHARACTERS_MAX = 255;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

type Read<Value> = (value: unknown) => Value | undefined;

export function parameters<Values extends object>(
  reads: Readonly<{ [Name in keyof Values]: Read<Values[Name]> }>,
): (search: Record<string, unknown>) => Partial<Values> {
  const all = Object.entries<Read<unknown>>(reads);
  return (search) =>
    given(Object.fromEntries(all.map(([name, read]) => [name, read(search[name])]))) as never;
}

export const oneOf =
  <Name extends string>(values: Readonly<Record<Name, unknown>>): Read<Name> =>
  (value) =>
    typeof value === "string" && Object.hasOwn(values, value) ? (value as Name) : undefined;

export const like =
  (pattern: RegExp): Read<string> =>
  (value) =>
    typeof value === "string" && pattern.test(value) ? value : undefined;

/** Reads a whole number from `min` to `max`, both included. */
export const within =
  (min: number, max: number): Read<number> =>
  (value) => {
    const number = Number(textOf(value));
    return Number.isInteger(number) && number >= min && number <= max ? number : undefined;
  };

/** Returns the text without surrounding spaces; undefined if it is empty. The router turns a text like `1001` into a number. */
export function textOf(value: unknown): string | undefined {
  if (typeof value !== "string" && typeof value !== "number") return undefined;
  return String(value).trim().slice(0, TEXT_CHARACTERS_MAX) || undefined;
}

export function flagOf(value: unknown): true | undefined {
  return value === true ? value : undefined;
}

/** Returns a day such as `2026-11-23`; undefined if the value is not a day. */
export function dayIn(value: unknown): string | undefined {
  if (typeof value !== "string" || !/^\d{4}-\d\d-\d\d$/.test(value)) return undefined;
  const time = new Date(`${value}T00:00:00Z`);
  const isDay = !Number.isNaN(time.getTime()) && time.toISOString().startsWith(value);
  return isDay && time.getUTCFullYear() >= 1970 ? value : undefined;
}

export function isUuid(value: unknown): value is string {
  return typeof value === "string" && UUID.test(value);
}

export const uuidOf = like(UUID);

/** Reads a period. `from` is inclusive and `to` is not. Both are in UTC, so that a link means the same everywhere. */
export const PERIOD = { from: instantIn, to: instantIn };

function instantIn(value: unknown): string | undefined {
  return instantOf(String(value));
}

/** Leaves out the parameters that are undefined, so that the address is short. */
export function given<Search extends object>(
  search: Search,
): { [Name in keyof Search]?: NonNullable<Search[Name]> } {
  return Object.fromEntries(Object.entries(search).filter(([, value]) => value !== undefined)) as never;
}

const SEARCH_CHARACTERS_MIN = 2;
const SEARCH_CHARACTERS_MAX = 100;

/** The query of a search; nothing while the text is too short for the platform. */
export function searchOf(text: string | undefined): { readonly search?: string } {
  const search = text?.slice(0, SEARCH_CHARACTERS_MAX).trim() ?? "";
  return search.length < SEARCH_CHARACTERS_MIN ? {} : { search };
}
