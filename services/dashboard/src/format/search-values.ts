// The values of search parameters: what a person can type into the address bar, and what is left of it. Pure.

const TEXT_CHARACTERS_MAX = 255;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Undefined unless it is one of the names of `values`. */
export function nameIn<Name extends string>(
  values: Readonly<Record<Name, unknown>>,
  value: unknown,
): Name | undefined {
  return typeof value === "string" && Object.hasOwn(values, value) ? (value as Name) : undefined;
}

/** Without the spaces around it; undefined if nothing is left. The router makes a number of a text like `1001`. */
export function textOf(value: unknown): string | undefined {
  if (typeof value !== "string" && typeof value !== "number") return undefined;
  return String(value).trim().slice(0, TEXT_CHARACTERS_MAX) || undefined;
}

export function isUuid(value: unknown): value is string {
  return typeof value === "string" && UUID.test(value);
}

/** Without the parameters that are undefined, so that the address is short. */
export function given<Search extends object>(
  search: Search,
): { [Name in keyof Search]?: NonNullable<Search[Name]> } {
  return Object.fromEntries(Object.entries(search).filter(([, value]) => value !== undefined)) as never;
}
