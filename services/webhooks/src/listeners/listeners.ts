// The door of this wing: listeners, which have no URL, and the leases with which their clients fetch deliveries.
export { startExpiringListeners } from "./expire-listeners.ts";
export { type LeaseContext, leaseRoutes } from "./lease-routes.ts";
export { startLeases } from "./leases.ts";
export { type ListenerContext, listenerRoutes } from "./listener-routes.ts";
export { createReportResult } from "./report-result.ts";
