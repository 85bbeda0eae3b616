// The functions behind the operators' commands. HTTP does not reach them.
export {
  auditChain,
  auditEntryFault,
  beginCommand,
  endCommand,
  operatorNamed,
  readAudit,
  readSubscriptionEntries,
  readSubscriptionFates,
  type SubscriptionEntry,
} from "./audit-log/audit-log.ts";
export {
  createTenant,
  listTenants,
  type ModuleName,
  moduleNames,
  operatedTenants,
  staffAccess,
} from "./identity/identity.ts";
export type { Tables } from "./tables.ts";
export { type QuotaChange, setQuotas, showQuotas } from "./usage/usage.ts";
