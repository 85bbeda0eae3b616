/** Background work that runs again and again, with a wait after each run. */
export interface Repetition {
  /** Starts the next run now, or right after the run in progress. */
  wake(): void;
  /** Resolves when the run in progress has ended; no other starts. */
  stop(): Promise<void>;
}

/** Runs `work` until stopped. `work` must not reject; it resolves with the time in ms to wait before its next run. */
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
