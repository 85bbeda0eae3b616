// The door of this wing.
export { type Backlog, readBacklog } from "./backlog.ts";
export { startCanary } from "./canary.ts";
export { findStuck, type Stuck } from "./find-stuck.ts";
export { type DeliveryTotals, readDeliveryTotals } from "./read-delivery-totals.ts";
export { watchDeliveries } from "./watch-deliveries.ts";
export { watchUnaccounted } from "./watch-unaccounted.ts";
