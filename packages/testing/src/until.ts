import { sleep } from "@tradepost/runtime";

// A look often takes several milliseconds of processor time, which the awaited work needs too.
const PAUSE_MS_MIN = 20;
const PAUSE_MS_MAX = 100;
/** Less than jest's timeout, whose message does not name the condition. */
const TIMEOUT_MS = 120_000;

/**
 * Until `look` returns a value other than undefined, null or false. Pauses for a tenth of the time waited so far, from 20 to 100
 * ms.
 * @throws an Error that contains `what` after `timeoutMs`.
 */
export async function until<Fact>(
  what: string,
  look: () => Promise<Fact> | Fact,
  timeoutMs = TIMEOUT_MS,
): Promise<NonNullable<Exclude<Fact, false>>> {
  const startedAt = Date.now();
  while (Date.now() < startedAt + timeoutMs) {
    const fact = await look();
    if (fact !== undefined && fact !== null && fact !== false)
      return fact as NonNullable<Exclude<Fact, false>>;
    await sleep(Math.min(Math.max((Date.now() - startedAt) / 10, PAUSE_MS_MIN), PAUSE_MS_MAX));
  }
  throw new Error(`timed out after ${timeoutMs} ms, waiting for ${what}`);
}
