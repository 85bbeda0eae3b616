// Notes when keys were last used: in memory at the request, in the database in batches, at most once a minute a key.
import type { Logger } from "@tradepost/runtime";
import { type Kysely, sql } from "kysely";
import type { Tables } from "../tables.ts";

export interface LastUsed {
  note(apiKeyId: string): void;
  /** Writes what is still in memory. */
  stop(): Promise<void>;
}

const FLUSH_EVERY_MS = 5_000;

/** What was noted in the last 5 s is lost with a killed process: a time of last use is a hint, not a record. */
export function startLastUsed(db: Kysely<Tables>, logger: Logger): LastUsed {
  const used = new Set<string>();
  const flush = async () => {
    if (used.size === 0) return;
    const ids = [...used];
    used.clear();
    try {
      await db
        .updateTable("api_keys")
        .set({ last_used_at: sql<Date>`now()` })
        .where("id", "in", ids)
        .where((is) =>
          is.or([
            is("last_used_at", "is", null),
            is("last_used_at", "<", sql<Date>`now() - interval '1 minute'`),
          ]),
        )
        .execute();
    } catch (error) {
      logger.warn({ err: error }, "times of last use not written");
    }
  };
  const timer = setInterval(() => void flush(), FLUSH_EVERY_MS);
  return {
    note: (id) => void used.add(id),
    stop: async () => {
      clearInterval(timer);
      await flush();
    },
  };
}
