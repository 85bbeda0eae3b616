// The changes that an audit entry lists. Pure.

/** The fields of `after` that differ from `before`, as `{from, to}`, or null if there are none. */
export function differences<Fields extends object>(
  before: Fields,
  after: Fields,
): Record<string, { from: unknown; to: unknown }> | null {
  const changed = Object.entries(after)
    .map(([field, to]) => ({ field, from: before[field as keyof Fields] as unknown, to: to as unknown }))
    .filter(({ from, to }) => JSON.stringify(from) !== JSON.stringify(to));
  if (changed.length === 0) return null;
  return Object.fromEntries(changed.map(({ field, from, to }) => [field, { from, to }]));
}
