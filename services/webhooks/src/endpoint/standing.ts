// The standing of an endpoint: how many of its deliveries one process attempts at a time, and whether it is proven, which
// decides the slots that its attempts use (`lanes.ts`). Pure.
import type { Outcome } from "../delivery-status.ts";

export interface Standing {
  /** Small for a slow endpoint, 1 for a failing one, at most 100. */
  readonly windowSize: number;
  readonly isProven: boolean;
}

export const IN_TIME_MS = 1_000;
/** After this many failures in a row an endpoint is down: it gets one attempt at a time. */
export const DOWN_FROM_FAILURES = 50;

export const NEW_STANDING: Standing = { windowSize: 2, isProven: false };

/** The sum for an endpoint's attempts in flight: 100 of 200 ms, 16 of 1 s or 2 of 10 s. */
const IN_FLIGHT_MS_TARGET = 20_000;
const SIZES = [1, 2, 4, 8, 16, 32, 64, 100];
const SIZE_MAX = 100;
/** A success that allows less than this share of the window shrinks it; an exact size would change with each duration. */
const SHRINKS_BELOW = 1 / 4;

interface EndedAttempt {
  readonly outcome: Outcome;
  readonly durationMs: number;
}

/** `attempts` are in the order in which they ended. */
export function standingAfter(standing: Standing, attempts: readonly EndedAttempt[]): Standing {
  return attempts.reduce(standingAfterOne, standing);
}

function standingAfterOne({ windowSize }: Standing, { outcome, durationMs }: EndedAttempt): Standing {
  if (outcome !== "delivered") return { windowSize: smaller(windowSize), isProven: false };
  const allowed = Math.min(SIZE_MAX, IN_FLIGHT_MS_TARGET / durationMs);
  const isProven = durationMs <= IN_TIME_MS;
  if (allowed >= larger(windowSize)) return { windowSize: larger(windowSize), isProven };
  if (allowed < windowSize * SHRINKS_BELOW) return { windowSize: smaller(windowSize), isProven };
  return { windowSize, isProven };
}

function larger(windowSize: number): number {
  return SIZES.find((size) => size > windowSize) ?? SIZE_MAX;
}

function smaller(windowSize: number): number {
  return SIZES.findLast((size) => size < windowSize) ?? 1;
}
