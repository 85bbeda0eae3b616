// Keeps the delivery log for as long as is wanted, by dropping its oldest days. What is still to be sent, and what waits
// for the operator, is never too old: it is in other tables, and its event outlives the day it came in.
import { rotateDayPartitions } from "@tradepost/postgres";
import { type Logger, type Repetition, repeat } from "@tradepost/runtime";
import type { Pool } from "pg";
import { deleteUnpartitioned } from "./delete-unpartitioned.ts";

const LOOK_EVERY_MS = 60 * 60 * 1_000;
const TRY_AGAIN_MS = 10_000;

// Deliveries first: what is still needed of the others is told from them.
const TABLES = ["delivery_log", "attempts", "response_bodies", "events"];
// An attempt comes before the end of its delivery, if only by a midnight.
const DAYS_LONGER: Readonly<Record<string, number>> = { attempts: 1, response_bodies: 1, events: 1 };

/** In: how many days to keep. Throws where the database or a lock is not had; what was done until then stays. */
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
  // After a start, for whoever ran before may have died before it; then once a day, and again where it failed.
  let isForgettingDue = true;
  const stopping = new AbortController();
  const keeping = repeat(async () => {
    try {
      const dropped = await dropDays(pool, days, stopping.signal);
      if (dropped.length > 0) logger.info({ dropped }, "days dropped from the log");
      if (dropped.length > 0) isForgettingDue = true;
      if (isForgettingDue) await deleteUnpartitioned(pool, days, stopping.signal);
      isForgettingDue = false;
      return LOOK_EVERY_MS;
    } catch (error) {
      if (!stopping.signal.aborted)
        logger.warn({ err: error }, "the log's days could not be kept; trying again");
      return TRY_AGAIN_MS;
    }
  });
  return {
    stop: async () => {
      stopping.abort();
      await keeping.stop();
    },
  };
}

async function dropDays(pool: Pool, days: number, signal?: AbortSignal): Promise<string[]> {
  const dropped: string[] = [];
  for (const table of TABLES)
    dropped.push(...(await rotateDayPartitions(pool, table, days + (DAYS_LONGER[table] ?? 0), signal)));
  return dropped;
}
