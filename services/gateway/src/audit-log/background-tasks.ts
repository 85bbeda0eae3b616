// Work that begins after the response is sent, so that the time of the response does not tell whether there was any. A
// normal stop waits for it; a killed process loses it.
import type { Logger } from "@tradepost/runtime";

export interface BackgroundTasks {
  run(work: () => Promise<void>): void;
  /** Resolves when all work is done. */
  stop(): Promise<void>;
}

/** How many are under way is bounded by whoever begins them: each follows a password hash. */
export function startBackgroundTasks(logger: Logger): BackgroundTasks {
  const underWay = new Set<Promise<void>>();
  return {
    run: (work) => {
      const done = new Promise<void>((resolve) => setImmediate(resolve))
        .then(work)
        .catch((error: unknown) => logger.error({ err: error }, "an audit entry is lost"))
        .finally(() => underWay.delete(done));
      underWay.add(done);
    },
    stop: async () => {
      while (underWay.size > 0) await Promise.all(underWay);
    },
  };
}
