// The door of this wing.
export { startFanOut } from "./fan-out.ts";
export { startHandleTally } from "./handle-tally.ts";
export { startMissingEvents } from "./missing-events.ts";
