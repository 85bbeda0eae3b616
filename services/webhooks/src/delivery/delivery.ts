// The door of this wing: deliveries, as rows in Postgres and as messages on the broker.
export * as attempts from "./attempts.ts";
export { cancelDeliveries, pauseDeliveries, resumeDeliveries } from "./change-deliveries.ts";
export * as claims from "./claims.ts";
export * as deadLetters from "./dead-letters.ts";
export { delivery, deliveryOf, findDelivery } from "./delivery-store.ts";
export * as ids from "./ids.ts";
export * as inserts from "./inserts.ts";
export * as jobs from "./jobs.ts";
export { type AttemptTransition, reasonOf } from "./lifecycle.ts";
export * as lost from "./lost.ts";
export * as requests from "./request.ts";
export * as resources from "./resource.ts";
export * as restarts from "./restarts.ts";
export * as settlement from "./settlement.ts";
export * as waiting from "./waiting.ts";
