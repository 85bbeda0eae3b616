// Updates the open deliveries of subscriptions that were paused, resumed or deleted: the first batch while the caller waits, the
// rest in the background, on any replica. Dispatch and the API do not wait for it: until then they derive a delivery's state from
// its subscription.
import { idleWait, type Logger, repeatOrWarn, settlesWithin } from "@tradepost/runtime";
import type { Kysely } from "kysely";
import type { Tables } from "../tables.ts";
import {
  findReconciliations,
  type Progress,
  reconcileBatch,
  type SubscriptionId,
} from "./reconciliation-store.ts";

export type Reconciliations = ReturnType<typeof startReconciliations>;

// Finds what a dead process has left, and what operators' commands request.
const POLL_EVERY_MS_MIN = 2_000;
const RETRY_AFTER_MS = 1_000;
const CALLER_WAITS_MS = 500;
const ROUND_SUBSCRIPTIONS_MAX = 10;
// A pause is as long as the round before it, but at least this long.
const PAUSE_MIN_MS = 20;

export function startReconciliations(options: {
  db: Kysely<Tables>;
  onWaiting: () => void;
  /** Ids of other subscriptions are ignored. */
  onLeasable: (listenerIds: readonly string[]) => void;
  logger: Logger;
}) {
  const { db, onWaiting, onLeasable, logger } = options;
  const waitAfter = idleWait({ minMs: POLL_EVERY_MS_MIN });

  async function advance(id: SubscriptionId, waits: boolean): Promise<Progress> {
    const progress = await reconcileBatch(db, id, { waits });
    onWaiting();
    onLeasable([id.subscriptionId]);
    if (progress === "finished") logger.info({ ...id }, "deliveries reconciled with their subscription");
    return progress;
  }

  const warning = "could not reconcile deliveries with their subscription; retrying";
  const working = repeatOrWarn(logger, warning, RETRY_AFTER_MS, async (isStopping) => {
    const startedAt = performance.now();
    const found = await findReconciliations(db, ROUND_SUBSCRIPTIONS_MAX);
    for (const id of found) {
      if (isStopping()) break;
      await advance(id, false);
    }
    const waitMs = waitAfter(found.length > 0);
    return found.length === 0 ? waitMs : Math.max(PAUSE_MIN_MS, performance.now() - startedAt);
  });

  return {
    /** After 500 ms it continues in the background. Never throws. */
    run: async (id: SubscriptionId): Promise<void> => {
      let hasMore = true;
      const first = advance(id, true).then(
        (progress) => {
          hasMore = progress === "advanced" || progress === "busy";
        },
        (error: unknown) =>
          logger.warn(
            { err: error, ...id },
            "could not reconcile the first batch; retrying in the background",
          ),
      );
      await settlesWithin(first, CALLER_WAITS_MS);
      if (hasMore) working.wake();
    },
    stop: working.stop,
  };
}
