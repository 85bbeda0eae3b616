// The door of this wing: subscriptions, and the reconciliation of their deliveries.
import type { Logger } from "@tradepost/runtime";
import type { Kysely } from "kysely";
import type { Tables } from "../tables.ts";
import { type Reconciliations, startReconciliations } from "./reconciliations.ts";

export { requestReconciliation } from "./reconciliation-store.ts";
export type { Reconciliations } from "./reconciliations.ts";
export { deleteAgain, findSubscriptions, listSubscriptionIds } from "./restored-subscriptions.ts";
export { storeStandings } from "./standing-store.ts";
export { subscriptionActionRoutes } from "./subscription-action-routes.ts";
export { subscriptionRoutes } from "./subscription-routes.ts";
export { deleted } from "./subscription-schema.ts";
export { FAILING_AFTER_FAILURES, lockCreations } from "./subscription-store.ts";
export { resumeDeliveries, suspendDeliveries } from "./suspend-tenant.ts";

export function startSubscriptions(options: {
  db: Kysely<Tables>;
  onWaiting: () => void;
  /** Ids of other subscriptions are ignored. */
  onLeasable: (listenerIds: readonly string[]) => void;
  logger: Logger;
}): { reconciliations: Reconciliations; stop(): Promise<void> } {
  const { db, onWaiting, onLeasable, logger } = options;
  const reconciliations = startReconciliations({
    db,
    onWaiting: ({ subscriptionId }) => {
      onWaiting();
      onLeasable([subscriptionId]);
    },
    logger,
  });
  return { reconciliations, stop: () => reconciliations.stop() };
}
