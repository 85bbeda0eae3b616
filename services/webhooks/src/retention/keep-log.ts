// Keeps the delivery log for as long as is wanted, by dropping its oldest days. What is still to be sent, and what waits
// for the operator, is never too old: it is in other tables, and its event outlives the day it came in.
import { type DayPartitionedTable, keepDays } from "@tradepost/postgres";
import { type Logger, type Repetition, repeat } from "@tradepost/runtime";
import type { Pool } from "pg";

const LOOK_EVERY_MS = 60 * 60 * 1_000;
const TRY_AGAIN_MS = 10_000;

const STILL_NEEDED = `
  select event_id from deliveries union all select event_id from delivery_log union all select event_id from dead_letters`;

// Deliveries first: what is still needed of the others is told from them.
const TABLES: readonly DayPartitionedTable[] = [
  { table: "delivery_log", column: "completed_at", type: "timestamptz" },
  { table: "attempts", column: "at", type: "timestamptz" },
  { table: "response_bodies", column: "day", type: "date" },
  {
    table: "events",
    column: "id",
    type: "uuid",
    survivors: (partition) => `select * from ${partition} where id in (${STILL_NEEDED})`,
  },
];
// An attempt comes before the end of its delivery, if only by a midnight.
const DAYS_LONGER: Readonly<Record<string, number>> = { attempts: 1, response_bodies: 1, events: 1 };

// What has no day of its own is little: events whose ids tell no time, and those that outlived theirs.
const FORGET_OTHERS = [
  "delete from delivery_log_other where completed_at < $1",
  "delete from attempts_other where at < $1",
  "delete from response_bodies_other where day < $1",
  // Not as `not in`: what is needed is too much to be held in memory, and would be read again for each event.
  `delete from events_other
    where received_at < $1
      and not exists (select from (${STILL_NEEDED}) as needed where needed.event_id = events_other.id)`,
];

/** In: how many days to keep. Throws where the database or a lock is not had; what was done until then stays. */
export async function keepLog(pool: Pool, days: number): Promise<string[]> {
  const dropped: string[] = [];
  for (const of of TABLES) dropped.push(...(await keepDays(pool, of, days + (DAYS_LONGER[of.table] ?? 0))));
  if (dropped.length > 0) {
    const { rows } = await pool.query<{ then: Date }>("select now() - $1 * interval '1 day' as then", [
      days + 1,
    ]);
    for (const forget of FORGET_OTHERS) await pool.query(forget, [rows[0]?.then]);
  }
  return dropped;
}

export function startKeepingLog(options: { pool: Pool; days: number; logger: Logger }): Repetition {
  const { pool, days, logger } = options;
  return repeat(async () => {
    try {
      const dropped = await keepLog(pool, days);
      if (dropped.length > 0) logger.info({ dropped }, "days dropped from the log");
      return LOOK_EVERY_MS;
    } catch (error) {
      logger.warn({ err: error }, "the log's days could not be kept; trying again");
      return TRY_AGAIN_MS;
    }
  });
}
