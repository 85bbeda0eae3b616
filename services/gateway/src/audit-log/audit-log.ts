// The door of this wing: who changed what and when.
export * as auditChain from "./audit-chain.ts";
export { type AuditLogContext, auditLogRoutes } from "./audit-log-routes.ts";
export {
  type AuditCause,
  differences,
  OPERATOR,
  type OperatorActor,
  operatorNamed,
  recordAudit,
} from "./audit-log-store.ts";
export { auditEntryFault, startAuditConsumer } from "./consume-audit.ts";
export { type MissingEntriesTimes, startMissingEntries } from "./missing-entries.ts";
export {
  beginCommand,
  endCommand,
  forgetTenantInCommands,
  readAudit,
  readSubscriptionEntries,
  readSubscriptionFates,
  type SubscriptionEntry,
} from "./operator-commands.ts";
