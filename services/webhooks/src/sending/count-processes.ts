// Counts the running processes of the service, of which each has an equal share of what a host may get. A process registers
// itself before it starts deliveries, and the others notice within BEAT_EVERY_MS. One that died counts for GONE_AFTER_MS more.
import { type Logger, newId, repeat } from "@tradepost/runtime";
import type { Pool } from "pg";

export interface ProcessCount {
  /** At least 1: this process. */
  readonly count: number;
  stop(): Promise<void>;
}

const BEAT_EVERY_MS = 5_000;
const GONE_AFTER_MS = 15_000;

/** Rejects if this process cannot be registered. Later the count stays as it was while the database cannot be reached. */
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
