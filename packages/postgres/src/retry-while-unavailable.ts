// Lets a service that starts before its database, or during a failover, wait instead of exit.
import { type Logger, sleep } from "@tradepost/runtime";
import { isDatabaseUnavailable } from "./database-errors.ts";

const RETRY_MS = 500;

/**
 * Does work of a service's start, which must be safe to repeat, again and again while the database is unavailable, and
 * logs once that it waits. Throws any other error.
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
