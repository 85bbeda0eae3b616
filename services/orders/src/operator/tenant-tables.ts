// The tables with rows of tenants, in the order in which the operator deletes a tenant.
import { sharedTenantTables, type TenantTable } from "@tradepost/postgres";

export const tenantTables: readonly TenantTable[] = [
  sharedTenantTables.idempotencyRecords,
  { name: "order_lines", kind: "order_line" },
  { name: "order_changes", kind: "order_change" },
  { name: "orders", kind: "order" },
  { name: "order_counters", kind: "order_counter" },
  { name: "customers", kind: "customer" },
  sharedTenantTables.outbox,
  sharedTenantTables.publishedEvents,
];
