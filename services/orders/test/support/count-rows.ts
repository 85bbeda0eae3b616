import { sql } from "kysely";
import type { TestOrders } from "./test-orders.ts";

/** Counts the rows of a tenant in a table. */
export async function countRows(
  { db }: TestOrders,
  table: "orders" | "customers" | "outbox" | "idempotency_records",
  tenantId: string,
): Promise<number> {
  const { rows } = await sql<{ count: string }>`
    select count(*) from ${sql.table(table)} where tenant_id = ${tenantId}`.execute(db);
  return Number(rows[0]?.count);
}
