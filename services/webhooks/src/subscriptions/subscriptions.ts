// The door of this wing: subscriptions with their endpoints and secrets, and the reconciliation of their deliveries.
import type { Logger } from "@tradepost/runtime";
import type { Kysely } from "kysely";
import type { Tables } from "../tables.ts";
import { type Reconciliations, startReconciliations } from "./reconciliations.ts";

export { type AddressGuard, AddressRefused, addressGuard } from "./address.ts";
export { openHeaders } from "./headers.ts";
export {
  FAILING_AFTER_FAILURES,
  type Health,
  HOLD_MS_MAX,
  healthAfter,
  type NoticeChange,
  PATIENCE,
  type Patience,
} from "./health.ts";
export { requestReconciliation } from "./reconciliation-store.ts";
export type { Reconciliations } from "./reconciliations.ts";
export { deleteAgain, findSubscriptions, listSubscriptionIds } from "./restored-subscriptions.ts";
export { generateSecret, openSecret, previewOf, sealSecret } from "./secret.ts";
export { DOWN_FROM_FAILURES, IN_TIME_MS, type Standing, standingAfter } from "./standing.ts";
export { CONSECUTIVE_FAILURES, RESTRAINT, storeStandings } from "./standing-store.ts";
export { type SubscriptionActionContext, subscriptionActionRoutes } from "./subscription-action-routes.ts";
export { eventTypesInput, urlInput } from "./subscription-input.ts";
export { type SubscriptionContext, subscriptionRoutes } from "./subscription-routes.ts";
export { deleted } from "./subscription-schema.ts";
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
