/** Background work that runs again and again, with a wait after each run. */
export interface Repetition {
  /** Starts the next run now, or right after the run in progress. */
  wake(): void;
  /** Resolves when the run in progress has ended; no other starts. */
  stop(): Promise<void>;
}

/**
 * Runs `work` until stopped. `work` must not reject; it resolves with the time in ms to wait before its next run. Waits of a second
 * or more are up to half a second shorter or longer, so that they end together and an idle process is woken less often.
 */
export function repeat(work: () => Promise<number>): Repetition {
  let isStopping = false;
  let isWoken = false;
  let endWait = () => {};

  async function run(): Promise<void> {
    while (!isStopping) {
      isWoken = false;
      const waitMs = await work();
      if (isWoken || isStopping || waitMs <= 0) continue;
      await wait(waitMs);
    }
  }

  // Does not use an AbortController, which costs ten times as much: the relay waits after each commit.
  function wait(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms < TICK_MS ? ms : untilTick(ms, performance.now()));
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

/** The waits of a process end at multiples of this time; each process counts from its own start. */
const TICK_MS = 1_000;

/** Returns the time in ms until the tick that is nearest to the end of a wait of `waitMs` that begins at `now`. */
export function untilTick(waitMs: number, now: number): number {
  return Math.round((now + waitMs) / TICK_MS) * TICK_MS - now;
}
