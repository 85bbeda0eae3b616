// Limits the age of the delivery log by dropping its oldest day partitions. Open deliveries and dead letters are in other
// tables and are never dropped; their events are moved out of a partition before it is dropped.
import { rotateDayPartitions } from "@tradepost/postgres";
import { type Logger, type Repetition, repeat } from "@tradepost/runtime";
import type { Pool } from "pg";
import { deleteUnpartitioned } from "./delete-unpartitioned.ts";

const ROTATE_EVERY_MS = 60 * 60 * 1_000;
const RETRY_AFTER_MS = 10_000;

// Deliveries first: they decide which rows of the other tables are still needed.
const TABLES = ["delivery_log", "attempts", "response_bodies", "events"];
// An attempt precedes the end of its delivery, possibly across midnight.
const DAYS_LONGER: Readonly<Record<string, number>> = { attempts: 1, response_bodies: 1, events: 1 };

/** Returns the dropped partitions. On an error the partitions dropped so far stay dropped. */
export async function applyRetention(pool: Pool, days: number): Promise<string[]> {
  const dropped = await dropDays(pool, days);
  await deleteUnpartitioned(pool, days);
  return dropped;
}

export function startRetention(options: {
  pool: Pool;
  days: number;
  logger: Logger;
}): Pick<Repetition, "stop"> {
  const { pool, days, logger } = options;
  // Due after a start, after days were dropped, and again after a failure.
  let isDeletionDue = true;
  const stopping = new AbortController();
  const rotating = repeat(async () => {
    try {
      const dropped = await dropDays(pool, days, stopping.signal);
      if (dropped.length > 0) logger.info({ dropped }, "dropped old days of the delivery log");
      if (dropped.length > 0) isDeletionDue = true;
      if (isDeletionDue) await deleteUnpartitioned(pool, days, stopping.signal);
      isDeletionDue = false;
      return ROTATE_EVERY_MS;
    } catch (error) {
      if (!stopping.signal.aborted)
        logger.warn({ err: error }, "could not apply the retention of the delivery log; retrying");
      return RETRY_AFTER_MS;
    }
  });
  return {
    stop: async () => {
      stopping.abort();
      await rotating.stop();
    },
  };
}

async function dropDays(pool: Pool, days: number, signal?: AbortSignal): Promise<string[]> {
  const dropped: string[] = [];
  for (const table of TABLES)
    dropped.push(...(await rotateDayPartitions(pool, table, days + (DAYS_LONGER[table] ?? 0), signal)));
  return dropped;
}
