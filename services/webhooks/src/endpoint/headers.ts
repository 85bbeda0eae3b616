// The headers that a tenant configures to be sent with every attempt, such as `Authorization` for a receiver behind a gateway
// (interface §7). Their values are secrets: they are sealed at rest and shown as `•••`.
import { invalid } from "@tradepost/http";

/** Stands for a header's value wherever it is shown. In a change it keeps the value. */
export const MASK = "•••";

export function masked(names: readonly string[]): Record<string, string> {
  return Object.fromEntries(names.map((name) => [name, MASK]));
}

export interface OwnHeader {
  readonly name: string;
  readonly value: string;
}

/** Replaces each `•••` by the header's value in `before`. Throws 422 for a header that has none. */
export function keepValues(after: readonly OwnHeader[], before: readonly OwnHeader[]): OwnHeader[] {
  const values = new Map(before.map(({ name, value }) => [name.toLowerCase(), value]));
  const unknown = after.filter(({ name, value }) => value === MASK && !values.has(name.toLowerCase()));
  if (unknown.length > 0) {
    throw invalid(
      unknown.map(({ name }) => ({ path: `headers.${name}`, message: "has no value that could be kept" })),
    );
  }
  return after.map(({ name, value }) => ({
    name,
    value: value === MASK ? (values.get(name.toLowerCase()) ?? "") : value,
  }));
}

/**
 * A URL of another origin must not receive stored values, which the caller may not know. `after` is undefined if the change does not
 * name the headers. Throws 422 for each header whose value is missing.
 */
export function requireValues(
  namesBefore: readonly string[],
  after: readonly OwnHeader[] | null | undefined,
): void {
  const missing =
    after === undefined
      ? namesBefore
      : (after ?? []).filter(({ value }) => value === MASK).map(({ name }) => name);
  if (missing.length === 0) return;
  throw invalid(
    missing.map((name) => ({
      path: `headers.${name}`,
      message: "must have its value again, because the URL has another scheme, host or port",
    })),
  );
}
