// The address of a request. Pure.

/** Values of a path or a query; an undefined one is left out, and a list is written with commas. */
export type Parameters = Readonly<Record<string, unknown>>;

/** Throws a TypeError for a path parameter that would change which operation the address names. */
export function urlOf(baseUrl: URL, template: string, path: Parameters, query: Parameters): URL {
  const pathname = template.replaceAll(/\{(\w+)\}/g, (_, name: string) => segment(name, path[name]));
  const url = new URL(baseUrl);
  url.pathname = baseUrl.pathname.replace(/\/$/, "") + pathname;
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== null) url.searchParams.set(name, textOf(value));
  }
  return url;
}

function segment(name: string, value: unknown): string {
  const text = typeof value === "number" ? String(value) : value;
  // An address has no way to write these as a segment: `.` and `..` are removed, whichever way they are written.
  if (typeof text !== "string" || text === "" || text === "." || text === "..")
    throw new TypeError(`${name}: must be a text that is not empty, "." or ".."`);
  return encodeURIComponent(text);
}

function textOf(value: unknown): string {
  if (Array.isArray(value)) return value.map(textOf).join(",");
  return value instanceof Date ? value.toISOString() : String(value);
}
