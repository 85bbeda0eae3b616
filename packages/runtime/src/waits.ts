import { setImmediate } from "node:timers/promises";

/** Resolves after `ms`, or as soon as `signal` is aborted. It never rejects. */
export function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal?.addEventListener("abort", done);
    if (signal?.aborted) done();
  });
}

/** The operation itself continues, and its result is ignored. */
export async function withDeadline<Result>(
  operation: Promise<Result>,
  ms: number,
  message: string,
): Promise<Result> {
  const deadline = Promise.withResolvers<never>();
  const timer = setTimeout(() => deadline.reject(new Error(message)), ms);
  try {
    return await Promise.race([operation, deadline.promise]);
  } finally {
    clearTimeout(timer);
  }
}

/** Resolves with true when the promise has settled, or with false after `ms`. It never rejects. */
export function settlesWithin(promise: Promise<unknown>, ms: number): Promise<boolean> {
  return withDeadline(Promise.allSettled([promise]), ms, "late").then(
    () => true,
    () => false,
  );
}

export interface BackoffLimits {
  readonly minMs: number;
  readonly maxMs: number;
  /** `"full"` picks a random time up to the backoff, so that clients which failed together do not retry together. */
  readonly jitter?: "none" | "full";
}

/** Returns an exponential wait in ms: `minMs` before the first retry, then doubled, at most `maxMs`. */
export function backoff(
  retryCount: number,
  { minMs, maxMs, jitter = "none" }: BackoffLimits,
  random: () => number = Math.random,
): number {
  const waitMs = Math.min(minMs * 2 ** retryCount, maxMs);
  return jitter === "full" ? random() * waitMs : waitMs;
}

const BLOCK_MS_MAX = 5;

/** Returns a function to await between the steps of long work: it lets other requests run after 5 ms. */
export function yieldPeriodically(): () => Promise<void> {
  let since = performance.now();
  return async () => {
    if (performance.now() - since < BLOCK_MS_MAX) return;
    await setImmediate();
    since = performance.now();
  };
}
