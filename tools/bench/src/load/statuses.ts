// A measurement of refusals would be none.

const WRONG_SHARE_MAX = 0.01;

/** Out: how many came out as expected. Throws where more than one in a hundred did not. */
export function checkStatuses(statuses: ReadonlyMap<number, number>, expect: number): number {
  const all = [...statuses.values()].reduce((sum, count) => sum + count, 0);
  const right = statuses.get(expect) ?? 0;
  if (right === 0 || all - right > all * WRONG_SHARE_MAX) {
    const seen = [...statuses].map(([status, count]) => `${count} × ${status || "no answer"}`).join(", ");
    throw new Error(`expected answers of ${expect}, got ${seen || "none"}`);
  }
  return right;
}
