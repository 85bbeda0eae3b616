// Counts the running processes of the service, each of which gets an equal share of a host's limit. A process registers before it
// starts deliveries, and the others notice within BEAT_EVERY_MS. A process that died is counted for another GONE_AFTER_MS.
import { type Logger, newId, repeat } from "@tradepost/runtime";
import type { Pool } from "pg";

export interface ProcessCount {
  /** At least 1: this process. */
  readonly count: number;
  stop(): Promise<void>;
}

const BEAT_EVERY_MS = 5_000;
const GONE_AFTER_MS = 15_000;

/** Starts counting; rejects if this process cannot be registered. While the database cannot be reached, the last count remains. */
export async function startCountingProcesses(pool: Pool, logger: Logger): Promise<ProcessCount> {
  const id = newId();
  let count = await beat();

  async function beat(): Promise<number> {
    const { rows } = await pool.query<{ others: number }>(BEAT, [id, GONE_AFTER_MS]);
    return 1 + (rows[0]?.others ?? 0);
  }

  const beating = repeat(async () => {
    try {
      count = await beat();
    } catch (error) {
      logger.warn({ err: error }, "processes not counted; retrying");
    }
    return BEAT_EVERY_MS;
  });
  return {
    get count() {
      return count;
    },
    stop: async () => {
      await beating.stop();
      await pool.query("delete from dispatchers where id = $1", [id]).catch(() => undefined);
    },
  };
}

const BEAT = `
  with gone as (
    delete from dispatchers where seen_at < now() - $2 * interval '1 ms'
  ), beat as (
    insert into dispatchers (id, seen_at) values ($1, now())
    on conflict (id) do update set seen_at = excluded.seen_at
  )
  select count(*)::int as others from dispatchers where id <> $1 and seen_at >= now() - $2 * interval '1 ms'`;
