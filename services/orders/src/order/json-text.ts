// JSON columns.

/** The text for a JSON column; null for undefined. */
export function jsonOrNull(value: unknown): string | null {
  return value === undefined ? null : JSON.stringify(value);
}
