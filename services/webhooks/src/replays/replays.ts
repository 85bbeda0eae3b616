// The door of this wing: replays of what failed, of what is missing, or of everything in a period.
export { type ReplayContext, replayRoutes } from "./replay-routes.ts";
export { startReplays } from "./run-replays.ts";
