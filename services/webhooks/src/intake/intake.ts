// The door of this wing.

export { tallyHandler } from "./compare-tally.ts";
export { fanOutHandler } from "./fan-out.ts";
export { startMissingEvents } from "./missing-events.ts";
