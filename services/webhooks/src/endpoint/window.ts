// The window of an endpoint: how many of its deliveries may be queued or attempted at a time. A fast endpoint gets a large
// window, a slow one a small one, and a failing one a window of 1. Pure.
import type { Outcome } from "../delivery/delivery.ts";

/** Half of the attempts that one process makes at a time by default. */
const WINDOW_MAX = 100;
/** Target for the time in flight per endpoint: 100 attempts of 200 ms, 20 of 1 s or 2 of 10 s. */
const IN_FLIGHT_MS_TARGET = 20_000;

/**
 * After this many failures in a row an endpoint counts as down. It is then probed with one delivery at a time, which only the
 * admission loop admits. Otherwise an endpoint that fails within a millisecond would get a thousand requests a second.
 */
export const PROBED_FROM_FAILURES = 50;

interface EndpointAttempt {
  readonly outcome: Outcome;
  readonly durationMs: number;
}

/** `attempts` are in the order in which they ended. Returns 1 to `WINDOW_MAX`. */
export function windowAfter(windowSize: number, attempts: readonly EndpointAttempt[]): number {
  return attempts.reduce(windowAfterOne, windowSize);
}

/** A failure halves the window. A success moves it one step towards the size that the attempt's duration allows. */
function windowAfterOne(windowSize: number, { outcome, durationMs }: EndpointAttempt): number {
  if (outcome !== "delivered") return Math.max(1, Math.floor(windowSize / 2));
  const target = Math.min(WINDOW_MAX, Math.max(1, Math.floor(IN_FLIGHT_MS_TARGET / durationMs)));
  return windowSize + Math.sign(target - windowSize);
}
