// Whether a failed try is repeated, and when. Pure.
import type { Failure } from "./failure.ts";

/** What the decision needs to know of the request. */
export interface Attempted {
  readonly method: string;
  readonly hasIdempotencyKey: boolean;
  readonly hasIfMatch: boolean;
  /** How often the request was sent. */
  readonly tries: number;
  /** Until the deadline of the whole request. */
  readonly remainingMs: number;
  readonly random: () => number;
}

const FIRST_WAIT_MS = 250;
const LONGEST_WAIT_MS = 8_000;
/** The longest that a timer takes; it would run at once for a longer time. */
export const TIMER_MS_MAX = 2 ** 31 - 1;

/** Returns how long to wait before the next try, or null if there is none. */
export function waitBeforeNextTry(failure: Failure, attempted: Attempted): number | null {
  if (!failure.isTransient || !isRepeatable(attempted)) return null;
  const waitMs = Math.min(TIMER_MS_MAX, Math.max(1, Math.ceil(wait(failure, attempted))));
  return waitMs < attempted.remainingMs ? waitMs : null;
}

/**
 * True if sending the request twice has the effect of sending it once. A POST needs an idempotency key. A PATCH needs
 * `If-Match`: without it, a repeated PATCH could overwrite what someone else has changed since the first try.
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
 * At least as long as the server asks for, and at least a random part of a bound that doubles: clients do not return all at
 * once, nor at a constant pace to a server that asks for no wait at all.
 */
function wait({ retryAfterSeconds }: Failure, { tries, random }: Attempted): number {
  const bound = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** Math.min(tries - 1, 10));
  const asked = retryAfterSeconds === null ? 0 : retryAfterSeconds * 1_000 + FIRST_WAIT_MS * random();
  return Math.max(asked, bound * random());
}
