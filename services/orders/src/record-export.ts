// The audit entry of an export (interface §2): who took a copy of all orders or customers.
import type { ExportQuery } from "@tradepost/http";
import { auditRow, type Cause } from "@tradepost/messaging";
import { newId } from "@tradepost/runtime";
import type { Tenant } from "./tables.ts";

/** Records the names of the filters only: their values may name a person. */
export async function recordExport(
  tenant: Tenant,
  noun: "orders" | "customers",
  { query, ...cause }: Cause & { readonly query: ExportQuery },
): Promise<void> {
  const { format, locale: _, ...filters } = query;
  const names = Object.entries(filters).flatMap(([name, value]) => (value === undefined ? [] : [name]));
  const target = { type: "module", id: "crm" };
  const entry = { action: `${noun}.exported`, target, changes: { format, filters: names } };
  await tenant.db
    .insertInto("outbox")
    .values(auditRow(entry, newId(), cause))
    .execute();
}
