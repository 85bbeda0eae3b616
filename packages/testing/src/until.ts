// Waits for a condition instead of a fixed time.
import { sleep } from "@tradepost/runtime";

const POLL_MS = 20;
/** In ms. Far more than a busy machine needs, and less than jest's timeout, whose message does not name the condition. */
const TIMEOUT_MS = 120_000;

/**
 * Calls `look` every 20 ms until it returns a value other than undefined, null or false, and returns that value.
 *
 * @throws an Error that contains `what` after `timeoutMs`.
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
    await sleep(POLL_MS);
  }
  throw new Error(`timed out after ${timeoutMs} ms, waiting for ${what}`);
}
