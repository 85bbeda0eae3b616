/** Parameters of a path or a query. Undefined values are left out, and lists are joined with commas. */
export type Parameters = Readonly<Record<string, unknown>>;

/** @throws a TypeError for a path parameter that would make the address name another operation. */
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
  // A URL cannot contain these as a segment: `.` and `..` are removed in every notation.
  if (typeof text !== "string" || text === "" || text === "." || text === "..")
    throw new TypeError(`${name}: must be a text that is not empty, "." or ".."`);
  return encodeURIComponent(text);
}

function textOf(value: unknown): string {
  if (Array.isArray(value)) return value.map(textOf).join(",");
  return value instanceof Date ? value.toISOString() : String(value);
}
