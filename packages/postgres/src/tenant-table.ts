/** A table with rows of tenants, for the operator's export and deletion of a tenant (interface §9). */
export interface TenantTable {
  readonly name: string;
  /** The kind of the table's rows in the archive. */
  readonly kind: string;
  /** The column with the tenant's id; `tenant_id` by default. */
  readonly tenantColumn?: string;
  /** Columns that archives leave out: secrets and their hashes. */
  readonly secrets?: readonly string[];
}

/** The tables that several services have. Their SQL files are in the packages' `sql` folders. */
export const sharedTenantTables = {
  idempotencyRecords: { name: "idempotency_records", kind: "idempotency_record", secrets: ["fingerprint"] },
  outbox: { name: "outbox", kind: "outbox_event" },
  publishedEvents: { name: "published_events", kind: "published_event" },
} as const satisfies Record<string, TenantTable>;
