// The door of this wing: replays of failed deliveries, of missing ones, or of all events of a period.
export { type ReplayContext, replayRoutes } from "./replay-routes.ts";
export { startReplays } from "./run-replays.ts";
