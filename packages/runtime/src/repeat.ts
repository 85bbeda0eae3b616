import type { Logger } from "./logger.ts";

export interface Repetition {
  /** The next run starts now, or right after the run in progress. */
  wake(): void;
  /** Resolves when the run in progress has ended; no other starts. */
  stop(): Promise<void>;
}

/** Resolves with the ms to wait before its next run. */
type Work = (isStopping: () => boolean) => Promise<number>;

/** `work` must not reject. */
export function repeat(work: Work): Repetition {
  let isStopping = false;
  let isWoken = false;
  let endWait = () => {};

  async function run(): Promise<void> {
    const isStoppingNow = () => isStopping;
    while (!isStopping) {
      isWoken = false;
      const waitMs = await work(isStoppingNow);
      if (isWoken || isStopping || waitMs <= 0) continue;
      await wait(waitMs);
    }
  }

  // An AbortController would cost ten times as much, and the relay waits after each commit.
  function wait(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      endWait = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  const running = run();
  return {
    wake: () => {
      isWoken = true;
      endWait();
    },
    stop: async () => {
      isStopping = true;
      endWait();
      await running;
    },
  };
}

/** Repeats work that may reject: it then warns, and tries again after `retryAfterMs`. */
export function repeatOrWarn(
  logger: Pick<Logger, "warn">,
  warning: string,
  retryAfterMs: number,
  work: Work,
): Repetition {
  return repeat(async (isStopping) => {
    try {
      return await work(isStopping);
    } catch (error) {
      logger.warn({ err: error }, warning);
      return retryAfterMs;
    }
  });
}

const REST_MS = 60 * 60_000;

/**
 * Repeats `run` only while there is work, so that an idle process is not woken. Call `begin` when work arrives; the first run is
 * `everyMs` later, for all that arrives until then. `run` resolves with the ms to wait before the next one.
 */
export function repeatOnDemand(
  logger: Pick<Logger, "warn">,
  warning: string,
  everyMs: number,
  { hasWork, run }: { readonly hasWork: () => boolean; readonly run: () => Promise<number> },
): { readonly begin: () => void; readonly stop: () => Promise<void> } {
  let isResting = true;
  const loop = repeatOrWarn(logger, warning, everyMs, async () => {
    const waitMs = isResting ? everyMs : await run();
    isResting = !hasWork();
    return isResting ? REST_MS : waitMs;
  });
  return {
    begin: () => {
      if (isResting) loop.wake();
    },
    stop: loop.stop,
  };
}

const WAIT_SHARE = 1 / 4;

/**
 * For loops that look for work which nobody announces. Returns a function that returns the ms to wait after a look: a quarter of the time
 * without work, from `minMs` to `maxMs`. `now` is for tests.
 */
export function idleWait(
  { minMs = 1_000, maxMs = 5_000 } = {},
  now: () => number = () => performance.now(),
): (foundWork: boolean) => number {
  let idleSince = now();
  return (foundWork) => {
    if (foundWork) idleSince = now();
    return togetherWithOthers(Math.min(Math.max(minMs, (now() - idleSince) * WAIT_SHARE), maxMs), now());
  };
}

const PERIOD_MS = 5_000;
// A timer may fire a little early, and its loop would run twice.
const EARLY_MS = 50;

/**
 * Makes a wait of 5 s or more end with other such waits of this process, because each wake-up costs more than most looks for work.
 * Not for work that a database refuses before its time. `now` is for tests.
 */
export function togetherWithOthers(ms: number, now: number = performance.now()): number {
  if (ms < PERIOD_MS) return ms;
  const shortened = Math.floor((now + ms) / PERIOD_MS) * PERIOD_MS - now;
  return shortened > EARLY_MS ? shortened : shortened + PERIOD_MS;
}
