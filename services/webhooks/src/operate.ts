// What operators ask of deliveries and do with those that failed for good, for the operators' command; never reachable
// over HTTP.
export {
  type DeadFilter,
  findDeadLetter,
  listDeadLetters,
  purgeDeadLetters,
  redriveDeadLetters,
} from "./delivery/dead-letters.ts";
export { explainDelivery } from "./delivery/explain-delivery.ts";
export { tidyDeadQueue } from "./delivery/tidy-dead-queue.ts";
export type { Tables } from "./tables.ts";
export { DEAD_QUEUE, POISON_QUEUE } from "./topology.ts";
