// The door of this wing: a delivery, its states and its request, as rows in Postgres and as messages on the broker.
export {
  cancelDeliveries,
  lockForRestart,
  pauseDeliveries,
  redeliverDelivery,
  restartDeliveries,
  resumeDeliveries,
} from "./change-deliveries.ts";
export { type DeadLetterMessage, decodeDeadLetterMessage, publishDeadLetter } from "./dead-letter-message.ts";
export {
  countDeadLetters,
  type DeadFilter,
  findDeadLetter,
  listDeadLetters,
  purgeDeadLetters,
  redriveDeadLetters,
  tidyDeadQueue,
} from "./dead-letters.ts";
export { delivery, deliveryOf, findDelivery } from "./delivery-store.ts";
export { deliveryIdOf, eventKey, firstIdAt } from "./ids.ts";
export { decodeJob, deliveryMessageFault, type Job, jobMessage } from "./job.ts";
export {
  type AttemptTransition,
  reasonOf,
  transitionColumns,
} from "./lifecycle.ts";
export { insertReplayed, takeBackReplayed } from "./replay-deliveries.ts";
export {
  bodyOf,
  headersOf,
  maskedHeaders,
  type RequestFacts,
  signedRequest,
} from "./request.ts";
export { resourceOf } from "./resource.ts";
