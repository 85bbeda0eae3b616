// The functions behind the operators' commands. HTTP does not reach them.

export { findStuck, type Stuck } from "./accounting/find-stuck.ts";
export { type DeliveryTotals, readDeliveryTotals } from "./accounting/read-delivery-totals.ts";
export { type Backlog, readBacklog } from "./delivery/backlog.ts";
export {
  countDeadLetters,
  type DeadFilter,
  findDeadLetter,
  listDeadLetters,
  purgeDeadLetters,
  redriveDeadLetters,
} from "./delivery/dead-letters.ts";
export { deliveryMessageFault } from "./delivery/delivery-message-fault.ts";
export { tidyDeadQueue } from "./delivery/tidy-dead-queue.ts";
export { findReceived, type ReceivedEvent } from "./event/find-received.ts";
export { explainDelivery } from "./explanation/explain-delivery.ts";
export { tenantTables } from "./operator/tenant-tables.ts";
export { resealAll, type Unopened } from "./sealing/reseal.ts";
export { readSealingKeys } from "./sealing/sealing-keys.ts";
export { deleteAgain, findSubscriptions } from "./subscription/delete-again.ts";
export { listSubscriptionIds } from "./subscription/list-subscription-ids.ts";
export { resumeDeliveries, suspendDeliveries } from "./suspension/suspend-tenant.ts";
export type { Tables } from "./tables.ts";
export { DEAD_QUEUE, EVENTS_QUEUE, POISON_QUEUE } from "./topology.ts";
