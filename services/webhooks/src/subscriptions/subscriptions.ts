// The door of this wing: subscriptions, and the reconciliation of their deliveries.
export { requestReconciliation } from "./reconciliation-store.ts";
export { type Reconciliations, startReconciliations } from "./reconciliations.ts";
export { deleteAgain, findSubscriptions, listSubscriptionIds } from "./restored-subscriptions.ts";
export { storeStandings } from "./standing-store.ts";
export { subscriptionActionRoutes } from "./subscription-action-routes.ts";
export { wholeNumber } from "./subscription-input.ts";
export { subscriptionRoutes } from "./subscription-routes.ts";
export { deleted } from "./subscription-schema.ts";
export { FAILING_AFTER_FAILURES, lockCreations } from "./subscription-store.ts";
export { resumeDeliveries, suspendDeliveries } from "./suspend-tenant.ts";
