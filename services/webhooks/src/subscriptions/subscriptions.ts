// The door of this wing.
export { type AddressGuard, AddressRefused, addressGuard } from "./address.ts";
export { deleteAgain, findSubscriptions } from "./delete-again.ts";
export { insertExampleDelivery } from "./example-delivery.ts";
export { openHeaders, sealHeaders } from "./headers.ts";
export { KEPT_OF_SUBSCRIPTION } from "./headers-input.ts";
export { FAILING_AFTER_FAILURES, type HealthChange, healthChanges } from "./health.ts";
export { listSubscriptionIds } from "./list-subscription-ids.ts";
export { requestReconciliation } from "./reconciliation-store.ts";
export { type Reconciliations, startReconciliations } from "./reconciliations.ts";
export { type Recoveries, startRecoveries } from "./recoveries.ts";
export { recoverInput } from "./recovery-input.ts";
export { countFailed, createRecovery, findRecovery } from "./recovery-store.ts";
export { generateSecret, openSecret, previewOf, sealSecret } from "./secret.ts";
export { DOWN_FROM_FAILURES, IN_TIME_MS, type Standing, standingAfter } from "./standing.ts";
export { CONSECUTIVE_FAILURES, storeStandings } from "./store-standings.ts";
export {
  changeSubscription,
  deleteSubscription,
  replaceSecret,
  type SubscriptionChange,
} from "./subscription-changes.ts";
export {
  eventTypesInput,
  rotateSecretInput,
  type SubscriptionInput,
  type SubscriptionsQuery,
  subscriptionInputs,
  subscriptionsQuery,
} from "./subscription-input.ts";
export { findSubscription, insertSubscription, listSubscriptions } from "./subscription-store.ts";
export { resumeDeliveries, suspendDeliveries } from "./suspend-tenant.ts";
