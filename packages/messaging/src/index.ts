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
export {
  type AdmittedCause,
  admit,
  type Cause,
  countQuotaRefusals,
  QUOTA_EXCEEDED,
  type Quota,
  quotas,
  withoutQuota,
} from "./quota.ts";
export {
  type Commits,
  type CommittedEvent,
  findEvents,
  publishedRetainedSince,
  readCommits,
} from "./read-commits.ts";
export { type Relay, startRelay } from "./relay.ts";
export { type QueuedMessage, removeMatching } from "./remove-matching.ts";
export {
  countRetained,
  type Republication,
  readClock,
  readRetention,
  republishEvents,
  tallyAgain,
} from "./republish-events.ts";
export {
  checkSharedExchanges,
  maintainSharedExchanges,
  SHARED_EXCHANGES,
} from "./shared-exchanges.ts";
export { checkBroker } from "./supervise-connection.ts";
export { decodeTally, reportMissing, type Tally, tallyKey } from "./tally.ts";
export {
  declareParkingQueue,
  declareRetryQueue,
  declareSubscribedQueue,
  declareWorkQueue,
  queueExchange,
} from "./topology.ts";
export {
  keptEventBytes,
  NO_BYTES,
  USAGE_PATH,
  USAGE_TENANTS_MAX,
  type UsageReport,
  usageReport,
  usageReports,
  usageRoutes,
} from "./usage.ts";
