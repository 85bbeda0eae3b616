// Reads the values of search parameters. A person can type anything into the address bar. Pure.

const TEXT_CHARACTERS_MAX = 255;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Returns the value if it is one of the names of `values`, otherwise undefined. */
export function nameIn<Name extends string>(
  values: Readonly<Record<Name, unknown>>,
  value: unknown,
): Name | undefined {
  return typeof value === "string" && Object.hasOwn(values, value) ? (value as Name) : undefined;
}

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

/** Returns a whole number between the two, each included. */
export function numberIn(min: number, max: number, value: unknown): number | undefined {
  const number = Number(textOf(value));
  return Number.isInteger(number) && number >= min && number <= max ? number : undefined;
}

export function isUuid(value: unknown): value is string {
  return typeof value === "string" && UUID.test(value);
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
