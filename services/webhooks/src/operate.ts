// The functions behind the operators' commands. HTTP does not reach them.

export { deadLetters, jobs } from "./delivery/delivery.ts";
export { type DeliveryStatus, deliveryStatuses } from "./delivery-status.ts";
export { checkedSealing, readSealingKeys, resealAll } from "./endpoint/endpoint.ts";
export {
  explainDelivery,
  findReceived,
  listForOperator,
  type OperatedDelivery,
  type ReceivedEvent,
} from "./log/log.ts";
export { findNotices, findOpenedSince, type NoticeFilter, noticeKinds } from "./notices/notices.ts";
export { readOffered } from "./offered-types.ts";
export {
  deleteAgain,
  findSubscriptions,
  listSubscriptionIds,
  resumeDeliveries,
  suspendDeliveries,
} from "./subscriptions/subscriptions.ts";
export type { Tables } from "./tables.ts";
export { DEAD_QUEUE, EVENTS_QUEUE, POISON_QUEUE } from "./topology.ts";
export {
  type Backlog,
  countEndpoints,
  type DeliveryTotals,
  findStuck,
  readBacklog,
  readDeliveryTotals,
  readOldestWaiting,
  type Stuck,
} from "./watch/watch.ts";
