// How many deliveries of one endpoint may be on the broker and under way at once: a fast one earns a large window, a
// slow one a small one, and a failing one is probed with one at a time. Pure (design, "Fairness").
import type { Outcome } from "../delivery/delivery.ts";

/** No endpoint has more than this under way, however fast it is; half of what one process does by default. */
const WINDOW_MAX = 100;
/** An endpoint that answers keeps busy this much waiting in all: 100 attempts of 200 ms, or 2 of 10 s. */
const WAITING_MS_MAX = 20_000;

/**
 * After so many failures in a row an endpoint is down rather than unlucky: it is let in one by one, by the feed's clock
 * alone, so that one that fails within a millisecond is not called a thousand times a second.
 */
export const PROBED_FROM_FAILURES = 50;

interface AttemptOfEndpoint {
  readonly outcome: Outcome;
  readonly durationMs: number;
}

/** In: the window so far, and attempts in the order they ended. Out: the window from now on, 1 to `WINDOW_MAX`. */
export function windowAfter(windowSize: number, attempts: readonly AttemptOfEndpoint[]): number {
  return attempts.reduce(windowAfterOne, windowSize);
}

/** A failure halves it, a success moves it one step towards what the endpoint's pace deserves. */
function windowAfterOne(windowSize: number, { outcome, durationMs }: AttemptOfEndpoint): number {
  if (outcome !== "delivered") return Math.max(1, Math.floor(windowSize / 2));
  const deserved = Math.min(WINDOW_MAX, Math.max(1, Math.floor(WAITING_MS_MAX / durationMs)));
  return windowSize + Math.sign(deserved - windowSize);
}
