// What operators ask of events and deliveries and do with those that failed for good, for the operators' command; never
// reachable over HTTP.
export {
  countDeadLetters,
  type DeadFilter,
  findDeadLetter,
  listDeadLetters,
  purgeDeadLetters,
  redriveDeadLetters,
} from "./delivery/dead-letters.ts";
export { explainDelivery } from "./delivery/explain-delivery.ts";
export { tidyDeadQueue } from "./delivery/tidy-dead-queue.ts";
export { findMisplaced, type Misplaced } from "./ledger/find-misplaced.ts";
export { readLedger, type WebhooksLedger } from "./ledger/read-ledger.ts";
export type { Tables } from "./tables.ts";
export { DEAD_QUEUE, EVENTS_QUEUE, POISON_QUEUE } from "./topology.ts";
