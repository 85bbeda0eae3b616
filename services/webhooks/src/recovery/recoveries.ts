// Carries recoveries out: the one that was asked for at once, and whatever a crash or a long one left unfinished, by the
// clock. Batches are paced by nothing: what is sent again only waits, and its endpoint's window lets it in.
import { type Logger, repeat } from "@tradepost/runtime";
import type { Kysely } from "kysely";
import type { Tables } from "../tables.ts";
import { advanceRecovery, findUnfinished } from "./recovery-store.ts";

export interface Recoveries {
  /** Works on a recovery for as long as a caller can be kept waiting. Out: how many were sent again by then. */
  run(id: string): Promise<number>;
  stop(): Promise<void>;
}

const LOOK_EVERY_MS = 2_000;
const CALLER_WAITS_MS = 5_000;

/** Replicas work side by side: one at a time sends a batch of a subscription's deliveries again. */
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

  const looking = repeat(async () => {
    try {
      for (const id of await findUnfinished(db, 2 * CALLER_WAITS_MS)) {
        if (isStopping) break;
        await advance(id, performance.now() + CALLER_WAITS_MS);
      }
    } catch (error) {
      logger.warn({ err: error }, "recovery interrupted; going on with it");
    }
    return LOOK_EVERY_MS;
  });

  return {
    run: (id) => advance(id, performance.now() + CALLER_WAITS_MS),
    // After the batch in hand; whoever starts next goes on with it.
    stop: async () => {
      isStopping = true;
      await looking.stop();
    },
  };
}
