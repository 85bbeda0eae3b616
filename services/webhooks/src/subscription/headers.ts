// The headers of a subscription's own. Their values are secrets: they are sealed at rest, and shown as `•••`.

/** Stands for a value in every response and in the audit log. */
export const MASK = "•••";

export function maskedHeaders(names: readonly string[]): Record<string, string> {
  return Object.fromEntries(names.map((name) => [name, MASK]));
}
