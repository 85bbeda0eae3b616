// The headers that a tenant configures to be sent with every attempt, such as `Authorization` for a receiver behind a gateway
// (interface §7). Their values are secrets: they are sealed at rest and shown as `•••`.
import { invalid } from "@tradepost/http";
import { ownerOfHeaders, type Sealing } from "./seal.ts";

/** Replaces the value of a subscription's own header wherever it is shown. In a change it means to keep the value. */
export const MASK = "•••";

export function maskedHeaders(names: readonly string[]): Record<string, string> {
  return Object.fromEntries(names.map((name) => [name, MASK]));
}

export interface OwnHeader {
  readonly name: string;
  readonly value: string;
}

/** They can be opened only as the headers of the same subscription, not as its secret. */
export function sealHeaders(
  headers: readonly OwnHeader[],
  sealing: Pick<Sealing, "seal">,
  tenantId: string,
  subscriptionId: string,
): Buffer | null {
  if (headers.length === 0) return null;
  const text = JSON.stringify(headers.map(({ name, value }) => [name, value]));
  return sealing.seal(text, ownerOfHeaders(tenantId, subscriptionId));
}

/** @throws SealingError */
export function openHeaders(
  sealed: Buffer | null,
  sealing: Pick<Sealing, "open">,
  tenantId: string,
  subscriptionId: string,
): OwnHeader[] {
  if (sealed === null) return [];
  const text = sealing.open(sealed, ownerOfHeaders(tenantId, subscriptionId));
  // The text was written by `sealHeaders`.
  return (JSON.parse(text) as [string, string][]).map(([name, value]) => ({ name, value }));
}

/** Replaces each value `•••` by the value that the header has in `before`. Throws 422 for a header that has none. */
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

export function areSame(one: readonly OwnHeader[], other: readonly OwnHeader[]): boolean {
  return (
    one.length === other.length &&
    one.every(({ name, value }, index) => name === other[index]?.name && value === other[index]?.value)
  );
}
