// Waits for a fact, never for a while.

const POLL_MS = 20;
/** Far beyond what a busy machine needs: a time-out is for a fact that never comes. Less than jest's, which names no fact. */
const TIMEOUT_MS = 120_000;

/**
 * Asks `look` again and again until it returns something other than undefined, null or false, and returns that.
 * Throws after `timeoutMs` with what was being waited for.
 */
export async function until<Fact>(
  what: string,
  look: () => Promise<Fact> | Fact,
  timeoutMs = TIMEOUT_MS,
): Promise<NonNullable<Exclude<Fact, false>>> {
  const deadline = Date.now() + timeoutMs;
  while (Date.now() < deadline) {
    const fact = await look();
    if (fact !== undefined && fact !== null && fact !== false)
      return fact as NonNullable<Exclude<Fact, false>>;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  throw new Error(`waited ${timeoutMs} ms in vain for ${what}`);
}
