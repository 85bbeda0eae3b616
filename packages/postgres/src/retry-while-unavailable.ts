import { type Logger, sleep } from "@tradepost/runtime";
import { isDatabaseUnavailable } from "./database-errors.ts";

const RETRY_MS = 500;

/**
 * Repeats `work` every 500 ms while the database is unavailable, so that a service that starts before its database waits
 * instead of exiting. Logs once that it waits. `work` must be safe to repeat; its other errors are thrown.
 */
export async function retryWhileUnavailable<Result>(
  logger: Logger,
  work: () => Promise<Result>,
): Promise<Result> {
  for (let hasWaited = false; ; hasWaited = true) {
    try {
      return await work();
    } catch (error) {
      if (!isDatabaseUnavailable(error)) throw error;
      if (!hasWaited) logger.warn({ err: error }, "waiting for the database");
      await sleep(RETRY_MS);
    }
  }
}
