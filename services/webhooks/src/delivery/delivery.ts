// The door of this wing.
export { type DeadLetterMessage, decodeDeadLetterMessage } from "./dead-letter-message.ts";
export {
  countDeadLetters,
  type DeadFilter,
  findDeadLetter,
  listDeadLetters,
  purgeDeadLetters,
  redriveDeadLetters,
} from "./dead-letters.ts";
export { deliveryIdOf } from "./delivery-id.ts";
export { deliveriesQuery, sendTestInput } from "./delivery-input.ts";
export { deliveryMessageFault } from "./delivery-message-fault.ts";
export { deliveryOf, findDelivery, findDeliveryWithAttempts } from "./delivery-store.ts";
export { eventKey } from "./event-key.ts";
export { firstIdAt } from "./first-id.ts";
export { isNotDeleted } from "./is-not-deleted.ts";
export { decodeJob, type Job, jobMessage } from "./job.ts";
export {
  type AttemptTransition,
  reasonOf,
  transitionAfter,
  transitionColumns,
  type Wait,
} from "./lifecycle.ts";
export { cancelDeliveries, pauseDeliveries, resumeDeliveries } from "./open-deliveries.ts";
export { publishDeadLetter } from "./publish-dead-letter.ts";
export { publishJobs } from "./publish-jobs.ts";
export { redeliverDelivery } from "./redeliver-delivery.ts";
export { MASK, maskedHeaders } from "./request.ts";
export { lockForRestart, restartDeliveries } from "./restart-deliveries.ts";
export { retryQueue } from "./retry-schedule.ts";
export { type SigningKeys, signingKeys } from "./signature.ts";
export { type SignedRequest, signedRequest } from "./signed-request.ts";
export { tidyDeadQueue } from "./tidy-dead-queue.ts";
export {
  DEAD_QUEUE,
  DELIVERIES_QUEUE,
  declareTopology,
  EVENTS_QUEUE,
  POISON_QUEUE,
  TALLIES_QUEUE,
} from "./topology.ts";
