const UNEXPECTED_SHARE_MAX = 0.01;

/** Returns the number of expected responses. Throws if more than 1 % have another status, because failures are often faster. */
export function checkStatuses(statuses: ReadonlyMap<number, number>, expect: number): number {
  const all = [...statuses.values()].reduce((sum, count) => sum + count, 0);
  const expected = statuses.get(expect) ?? 0;
  if (expected === 0 || all - expected > all * UNEXPECTED_SHARE_MAX) {
    const seen = [...statuses].map(([status, count]) => `${count} × ${status || "no response"}`).join(", ");
    throw new Error(`expected responses with ${expect}, got ${seen || "none"}`);
  }
  return expected;
}
