// The functions behind the operators' commands. HTTP does not reach them.
import { sharedTenantTables, type TenantTable } from "@tradepost/postgres";

export {
  countDeadLetters,
  DEAD_QUEUE,
  type DeadFilter,
  deliveryMessageFault,
  EVENTS_QUEUE,
  findDeadLetter,
  listDeadLetters,
  POISON_QUEUE,
  purgeDeadLetters,
  redriveDeadLetters,
  tidyDeadQueue,
} from "./delivery/delivery.ts";
export { explainDelivery, findReceived, type ReceivedEvent } from "./log/log.ts";
export { findNotices, findOpenedSince, type NoticeFilter, noticeKinds } from "./notices/notices.ts";
export { readSealingKeys, resealAll, type Unopened } from "./sealing/sealing.ts";
export {
  deleteAgain,
  findSubscriptions,
  listSubscriptionIds,
  resumeDeliveries,
  suspendDeliveries,
} from "./subscriptions/subscriptions.ts";
export type { Tables } from "./tables.ts";
export {
  type Backlog,
  type DeliveryTotals,
  findStuck,
  readBacklog,
  readDeliveryTotals,
  type Stuck,
} from "./watch/watch.ts";

/**
 * The tables with rows of tenants, in the order in which the operator deletes a tenant. Subscriptions come first, because without
 * them nothing creates, restarts or sends a delivery. The log comes after `deliveries`, because rows move from there to the log.
 * Triggers write former standings and targets when subscriptions are deleted.
 */
export const tenantTables: readonly TenantTable[] = [
  sharedTenantTables.idempotencyRecords,
  { name: "replays", kind: "replay" },
  { name: "recoveries", kind: "recovery" },
  { name: "listeners", kind: "listener" },
  { name: "notice_messages", kind: "notice_message" },
  { name: "notice_destinations", kind: "notice_destination", secrets: ["secret_sealed"] },
  { name: "endpoints", kind: "endpoint" },
  {
    name: "subscriptions",
    kind: "subscription",
    secrets: ["secret_sealed", "previous_secret_sealed", "headers_sealed"],
  },
  { name: "notices", kind: "notice" },
  { name: "reconciliations", kind: "reconciliation" },
  { name: "deliveries", kind: "open_delivery" },
  { name: "delivery_log", kind: "closed_delivery" },
  { name: "dead_letters", kind: "dead_letter" },
  { name: "attempts", kind: "attempt" },
  { name: "response_bodies", kind: "response_body" },
  { name: "events", kind: "event" },
  { name: "missing_events", kind: "missing_event" },
  { name: "former_standings", kind: "former_standing" },
  { name: "former_targets", kind: "former_target" },
  sharedTenantTables.outbox,
  sharedTenantTables.publishedEvents,
  { name: "suspended_tenants", kind: "suspension" },
];
