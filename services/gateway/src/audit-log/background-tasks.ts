// Runs work after the response is sent, so that the response takes the same time with and without it. `stop` waits for the
// work; a killed process loses it.
import type { Logger } from "@tradepost/runtime";

export interface BackgroundTasks {
  run(work: () => Promise<void>): void;
  /** Resolves when all work is done. */
  stop(): Promise<void>;
}

/** Has no limit of its own: each task follows a password hash, and the hash queue limits those. */
export function startBackgroundTasks(logger: Logger): BackgroundTasks {
  const running = new Set<Promise<void>>();
  return {
    run: (work) => {
      const done = new Promise<void>((resolve) => setImmediate(resolve))
        .then(work)
        .catch((error: unknown) => logger.error({ err: error }, "an audit entry is lost"))
        .finally(() => running.delete(done));
      running.add(done);
    },
    stop: async () => {
      while (running.size > 0) await Promise.all(running);
    },
  };
}
