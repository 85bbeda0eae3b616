// The door of this wing: the figures of orders (interface §19).
export { startFoldingDeltas } from "./fold-deltas.ts";
export { type StatisticsContext, statisticsRoutes } from "./statistics-routes.ts";
