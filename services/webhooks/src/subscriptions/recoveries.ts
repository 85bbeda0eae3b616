// Runs recoveries: a new one at once while its caller waits, and unfinished ones in the background. Batches follow each
// other without a pause: restarted deliveries wait in Postgres until the endpoint's window admits them.
import { type Logger, repeat } from "@tradepost/runtime";
import type { Kysely } from "kysely";
import type { Tables } from "../tables.ts";
import { advanceRecovery, findUnfinished } from "./recovery-store.ts";

export interface Recoveries {
  /** Works on a recovery for at most 5 s. Returns how many of its deliveries have been restarted so far. */
  run(id: string): Promise<number>;
  stop(): Promise<void>;
}

const POLL_EVERY_MS = 2_000;
const RUN_MS_MAX = 5_000;

/** All replicas may run recoveries: a lock on the subscription lets one batch run at a time. */
export function startRecoveries(options: {
  db: Kysely<Tables>;
  onWaiting: () => void;
  logger: Logger;
}): Recoveries {
  const { db, onWaiting, logger } = options;
  let isStopping = false;

  async function advance(id: string, untilMs: number): Promise<number> {
    for (let requeued = 0; ; ) {
      const progress = await advanceRecovery(db, id);
      if (progress === null) return requeued;
      requeued = progress.requeued;
      onWaiting();
      if (progress.isFinished || isStopping || performance.now() > untilMs) return requeued;
    }
  }

  const polling = repeat(async () => {
    try {
      for (const id of await findUnfinished(db, 2 * RUN_MS_MAX)) {
        if (isStopping) break;
        await advance(id, performance.now() + RUN_MS_MAX);
      }
    } catch (error) {
      logger.warn({ err: error }, "recovery interrupted; will continue");
    }
    return POLL_EVERY_MS;
  });

  return {
    run: (id) => advance(id, performance.now() + RUN_MS_MAX),
    // Finishes the current batch. Another replica or the next start continues the recovery.
    stop: async () => {
      isStopping = true;
      await polling.stop();
    },
  };
}
