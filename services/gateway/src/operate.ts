// The operations on the gateway's data that the operators' command uses. They are not available over HTTP.

export { auditEntryFault } from "./audit-log/audit-entry.ts";
export {
  endAccess,
  type LiveKey,
  readSubscriptionEntries,
  readSubscriptionFates,
  type SubscriptionEntry,
} from "./operator/after-restore.ts";
export { type CreatedTenant, createTenant } from "./operator/create-tenant.ts";
export { deleteTenantRow, markDeletion } from "./operator/delete-tenant.ts";
export { listStaff, makeSetupLinkFor } from "./operator/staff-access.ts";
export {
  findOperatedTenant,
  type OperatedTenant,
  resumeRequests,
  suspendRequests,
} from "./operator/suspend-tenant.ts";
export { tenantTables } from "./operator/tenant-tables.ts";
export type { Tables } from "./tables.ts";
export { type ModuleName, moduleNames } from "./tenant/module-name.ts";
export { listTenants } from "./tenant/tenant-store.ts";
