import { sleep } from "./sleep.ts";

/** Background work that runs again and again, with a wait after each run. */
export interface Repetition {
  /** Starts the next run now, or right after the one that is under way. */
  wake(): void;
  /** Resolves when the run that is under way has ended; no other starts. */
  stop(): Promise<void>;
}

/** Runs `work` until stopped. `work` must not reject; it resolves with the time in ms to wait before its next run. */
export function repeat(work: () => Promise<number>): Repetition {
  let isStopping = false;
  let isWoken = false;
  let waiting = new AbortController();

  async function run(): Promise<void> {
    while (!isStopping) {
      isWoken = false;
      const waitMs = await work();
      if (isWoken || isStopping || waitMs <= 0) continue;
      waiting = new AbortController();
      await sleep(waitMs, waiting.signal);
    }
  }

  const running = run();
  return {
    wake: () => {
      isWoken = true;
      waiting.abort();
    },
    stop: async () => {
      isStopping = true;
      waiting.abort();
      await running;
    },
  };
}
