// The door of this wing: the audit log, which says who changed what and when.
export { type AuditLogContext, auditLogRoutes } from "./audit-log-routes.ts";
export {
  type AuditCause,
  differences,
  OPERATOR,
  type OperatorActor,
  operatorNamed,
  readChain,
  readHead,
  readHeads,
  recordAudit,
} from "./audit-log-store.ts";
export { auditEntryFault, startAuditConsumer } from "./consume-audit.ts";
export { startLoggingHeads } from "./log-heads.ts";
export { type MissingEntriesTimes, startMissingEntries } from "./missing-entries.ts";
export {
  type AuditedChange,
  beginCommand,
  endCommand,
  forgetTenantInCommands,
  readAudit,
} from "./operator-commands.ts";
export {
  readSubscriptionEntries,
  readSubscriptionFates,
  type SubscriptionEntry,
} from "./subscription-entries.ts";
