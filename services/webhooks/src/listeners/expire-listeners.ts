// Pauses listeners from which nobody has leased for their whole lifetime. Every replica runs it.
import { tenantOf } from "@tradepost/postgres";
import { type Logger, type Repetition, repeatOrWarn } from "@tradepost/runtime";
import type { Kysely } from "kysely";
import type { Reconciliations } from "../subscriptions/subscriptions.ts";
import type { Tables } from "../tables.ts";
import { expireListener, findOver } from "./listener-store.ts";

const TRY_AGAIN_AFTER_MS = 1_000;
const BATCH_LISTENERS_MAX = 100;

export function startExpiringListeners(options: {
  db: Kysely<Tables>;
  reconciliations: Pick<Reconciliations, "run">;
  lookEveryMs: number;
  logger: Logger;
}): Pick<Repetition, "stop"> {
  const { db, reconciliations, lookEveryMs, logger } = options;
  const warning = "could not look for expired listeners; retrying";
  return repeatOrWarn(logger, warning, TRY_AGAIN_AFTER_MS, async (isStopping) => {
    const over = await findOver(db, BATCH_LISTENERS_MAX);
    for (const { tenantId, subscriptionId } of over) {
      if (isStopping()) break;
      const hasExpired = await tenantOf(db, tenantId).transaction((tx) => expireListener(tx, subscriptionId));
      if (!hasExpired) continue;
      logger.info({ tenantId, listenerId: subscriptionId }, "listener expired; its deliveries are paused");
      await reconciliations.run({ tenantId, subscriptionId });
    }
    return over.length === BATCH_LISTENERS_MAX ? 0 : lookEveryMs;
  });
}
