// The tables with rows of tenants, in the order in which the operator deletes a tenant.
import { sharedTenantTables, type TenantTable } from "@tradepost/postgres";

/** The tenant's own row is last: the tenant can be found until everything else is deleted. */
export const tenantTables: readonly TenantTable[] = [
  { name: "setup_links", kind: "setup_link", secrets: ["token_hash"] },
  { name: "sessions", kind: "session", secrets: ["refresh_hash"] },
  sharedTenantTables.idempotencyRecords,
  { name: "api_keys", kind: "api_key", secrets: ["secret_hash"] },
  { name: "users", kind: "user", secrets: ["password_hash"] },
  { name: "audit_log", kind: "audit_entry" },
  { name: "tenant_modules", kind: "module" },
  sharedTenantTables.outbox,
  sharedTenantTables.publishedEvents,
  { name: "tenants", kind: "tenant", tenantColumn: "id" },
];
