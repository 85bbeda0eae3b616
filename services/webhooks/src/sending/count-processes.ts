// Counts the running processes of the service, each of which gets an equal share of a host's limit. A process registers before it
// starts deliveries, and the others notice within BEAT_EVERY_MS. A process that died is counted for another GONE_AFTER_MS.
import { toStatement } from "@tradepost/postgres";
import { type Logger, newId, repeatOrWarn, togetherWithOthers } from "@tradepost/runtime";
import { sql } from "kysely";
import type { Pool } from "pg";

export type ProcessCount = Awaited<ReturnType<typeof startCountingProcesses>>;

const BEAT_EVERY_MS = 5_000;
const GONE_AFTER_MS = 15_000;

/** Rejects if this process cannot be registered. While the database cannot be reached, the last count remains. */
export async function startCountingProcesses(pool: Pool, logger: Logger) {
  const id = newId();
  let count = await beat();

  async function beat(): Promise<number> {
    const { rows } = await pool.query<{ others: number }>(
      toStatement(sql`
        with gone as (
          delete from dispatchers where seen_at < now() - ${GONE_AFTER_MS} * interval '1 ms'
        ), beat as (
          insert into dispatchers (id, seen_at) values (${id}, now())
          on conflict (id) do update set seen_at = excluded.seen_at
        )
        select count(*)::int as others from dispatchers
         where id <> ${id} and seen_at >= now() - ${GONE_AFTER_MS} * interval '1 ms'`),
    );
    return 1 + (rows[0]?.others ?? 0);
  }

  const beating = repeatOrWarn(logger, "processes not counted; retrying", BEAT_EVERY_MS, async () => {
    count = await beat();
    return togetherWithOthers(BEAT_EVERY_MS);
  });
  return {
    /** At least 1: this process. */
    get count(): number {
      return count;
    },
    stop: async (): Promise<void> => {
      await beating.stop();
      await pool.query(toStatement(sql`delete from dispatchers where id = ${id}`)).catch(() => undefined);
    },
  };
}
