// The tables with rows of tenants, in the order in which the operator deletes a tenant.
import { sharedTenantTables, type TenantTable } from "@tradepost/postgres";

/** `storage_leftovers` is not among them: `storage-leftovers.ts` deletes the files, and the rows go with them. */
export const tenantTables: readonly TenantTable[] = [
  sharedTenantTables.idempotencyRecords,
  { name: "redirects", kind: "redirect" },
  { name: "entry_slugs", kind: "entry_slug" },
  { name: "entry_revisions", kind: "entry_revision" },
  { name: "entries", kind: "entry" },
  { name: "content_types", kind: "content_type" },
  { name: "media", kind: "media" },
  sharedTenantTables.outbox,
  sharedTenantTables.publishedEvents,
];
