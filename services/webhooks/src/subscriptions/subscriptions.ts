// The door of this wing: subscriptions with their endpoints, secrets and recoveries, and the reconciliation of their deliveries.
export { type AddressGuard, AddressRefused, addressGuard } from "./address.ts";
export { openHeaders } from "./headers.ts";
export { FAILING_AFTER_FAILURES, type HealthChange, healthChanges } from "./health.ts";
export { requestReconciliation } from "./reconciliation-store.ts";
export { type Reconciliations, startReconciliations } from "./reconciliations.ts";
export { startRecoveries } from "./recoveries.ts";
export { deleteAgain, findSubscriptions, listSubscriptionIds } from "./restored-subscriptions.ts";
export { generateSecret, openSecret, previewOf, sealSecret } from "./secret.ts";
export { DOWN_FROM_FAILURES, IN_TIME_MS, type Standing, standingAfter } from "./standing.ts";
export { CONSECUTIVE_FAILURES, storeStandings } from "./standing-store.ts";
export { type SubscriptionActionContext, subscriptionActionRoutes } from "./subscription-action-routes.ts";
export { eventTypesInput } from "./subscription-input.ts";
export { type SubscriptionContext, subscriptionRoutes } from "./subscription-routes.ts";
export { deleted } from "./subscription-schema.ts";
export { resumeDeliveries, suspendDeliveries } from "./suspend-tenant.ts";
