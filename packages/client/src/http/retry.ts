// Decides whether a failed try is repeated, and when. Pure.
import type { Failure } from "./failure.ts";

export interface Attempted {
  readonly method: string;
  readonly hasIdempotencyKey: boolean;
  readonly hasIfMatch: boolean;
  readonly tries: number;
  readonly remainingMs: number;
  readonly random: () => number;
}

const FIRST_WAIT_MS = 250;
const LONGEST_WAIT_MS = 8_000;
/** With a longer delay a timer would fire at once. */
export const TIMER_MS_MAX = 2 ** 31 - 1;

/** Returns how long to wait before the next try, in ms; null if the request is not repeated. */
export function waitBeforeNextTry(failure: Failure, attempted: Attempted): number | null {
  if (!failure.isTransient || !isRepeatable(attempted)) return null;
  const waitMs = Math.min(TIMER_MS_MAX, Math.max(1, Math.ceil(wait(failure, attempted))));
  return waitMs < attempted.remainingMs ? waitMs : null;
}

/**
 * Reports whether a request may be sent twice. A POST needs an idempotency key. A PATCH needs `If-Match`: otherwise it could
 * overwrite a change made after the first try.
 */
export function isRepeatable({
  method,
  hasIdempotencyKey,
  hasIfMatch,
}: Omit<Attempted, "tries" | "remainingMs" | "random">): boolean {
  if (method === "POST") return hasIdempotencyKey;
  if (method === "PATCH") return hasIfMatch;
  return true;
}

/**
 * Returns the longer of two waits: the server's, with some jitter so that clients do not return all at once, and a random part of a bound
 * that doubles with each try.
 */
function wait({ retryAfterSeconds }: Failure, { tries, random }: Attempted): number {
  const bound = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** Math.min(tries - 1, 10));
  const asked = retryAfterSeconds === null ? 0 : retryAfterSeconds * 1_000 + FIRST_WAIT_MS * random();
  return Math.max(asked, bound * random());
}
