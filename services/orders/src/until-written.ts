// Each failed write means that somebody else's change has committed.
const TRIES_MAX = 100;

/**
 * Repeats a change that is decided on what it has read until it is written. `attempt` returns null if another change came first: the
 * next attempt is decided on the result of that change.
 */
export async function untilWritten<Result>(attempt: () => Promise<Result | null>): Promise<Result> {
  for (let tries = 0; tries < TRIES_MAX; tries += 1) {
    const result = await attempt();
    if (result !== null) return result;
  }
  throw new Error(`${TRIES_MAX} other changes came first`);
}
