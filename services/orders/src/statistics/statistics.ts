// The door of this wing: figures of orders (interface §19).
export { startFoldingDeltas } from "./fold-deltas.ts";
export { ordersUsage, statisticsRoutes } from "./statistics-routes.ts";
