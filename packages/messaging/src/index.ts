export { AUDIT_TALLY_PATH, auditTally, auditTallyRoute } from "./audit-tally.ts";
export { type ConsumeResult, type IncomingMessage, startConsumer } from "./consumer.ts";
export { AUDIT_EXCHANGE, decodeEvent, EVENTS_EXCHANGE, type Event } from "./event.ts";
export {
  COMMITTED_ROW,
  type CommittedFirstEvent,
  type CommittedRow,
  type FirstEvents,
  reservedUntil,
} from "./first-events.ts";
export {
  type AuditEntry,
  auditOnlyRow,
  auditRow,
  eventColumns,
  type NewOutboxRow,
  type OutboxTable,
  outboxRow,
} from "./outbox.ts";
export { type OutgoingMessage, type Publisher, type PublishOutcome, startPublisher } from "./publisher.ts";
export * from "./quota.ts";
export * from "./read-commits.ts";
export { type Relay, startRelay } from "./relay.ts";
export { type QueuedMessage, removeMatching } from "./remove-matching.ts";
export * from "./republish-events.ts";
export {
  checkSharedExchanges,
  maintainSharedExchanges,
  SHARED_EXCHANGES,
} from "./shared-exchanges.ts";
export { checkBroker } from "./supervise-connection.ts";
export { decodeTally, reportMissing, type Tally, tallyKey } from "./tally.ts";
export * from "./topology.ts";
export * from "./usage.ts";
