// Brings the open deliveries of subscriptions that were paused, resumed or deleted in line with them: the first batch while
// the caller waits, the rest in the background, by whichever replica gets to it. Until a delivery is in line, dispatch
// refuses it all the same, and the API shows it as it will be.
import { type Logger, repeat } from "@tradepost/runtime";
import type { Kysely } from "kysely";
import type { Tables } from "../tables.ts";
import {
  findReconciliations,
  type Progress,
  reconcileBatch,
  type SubscriptionId,
} from "./reconciliation-store.ts";

export interface Reconciliations {
  /** Does the first batch, or leaves it to the background where it takes too long. Never throws. */
  run(of: SubscriptionId): Promise<void>;
  stop(): Promise<void>;
}

const LOOK_EVERY_MS = 1_000;
const CALLER_WAITS_MS = 500;
// One batch of each in a round.
const ROUND_SUBSCRIPTIONS_MAX = 10;
// Between rounds the database has as long to itself as the round took, at least this long.
const PAUSE_MIN_MS = 20;

/** In: `onWaiting`, called after each batch: what was resumed now waits to be let in. */
export function startReconciliations(options: {
  db: Kysely<Tables>;
  onWaiting: () => void;
  logger: Logger;
}): Reconciliations {
  const { db, onWaiting, logger } = options;
  let isStopping = false;

  async function advance(of: SubscriptionId, waits: boolean): Promise<Progress> {
    const progress = await reconcileBatch(db, of, { waits });
    onWaiting();
    if (progress === "finished") logger.info({ ...of }, "deliveries are in line with their subscription");
    return progress;
  }

  const working = repeat(async () => {
    const startedAt = performance.now();
    try {
      const found = await findReconciliations(db, ROUND_SUBSCRIPTIONS_MAX);
      for (const of of found) {
        if (isStopping) break;
        await advance(of, false);
      }
      return found.length === 0 ? LOOK_EVERY_MS : Math.max(PAUSE_MIN_MS, performance.now() - startedAt);
    } catch (error) {
      logger.warn({ err: error }, "deliveries not in line with their subscription; trying again");
      return LOOK_EVERY_MS;
    }
  });

  return {
    run: async (of) => {
      const first = advance(of, true).catch((error: unknown): Progress => {
        logger.warn({ err: error, ...of }, "first batch of deliveries not in line; left to the background");
        return "busy";
      });
      const late = Promise.withResolvers<Progress>();
      const timer = setTimeout(() => late.resolve("busy"), CALLER_WAITS_MS);
      const progress = await Promise.race([first, late.promise]);
      clearTimeout(timer);
      if (progress === "advanced" || progress === "busy") working.wake();
    },
    stop: async () => {
      isStopping = true;
      await working.stop();
    },
  };
}
