import { sql } from "kysely";
import type { TestOrders } from "./test-orders.ts";

const EVENTS = sql`(select tenant_id from outbox union all select tenant_id from published_events) as events`;

/** Counts the rows of a tenant in a table, or its events, published or not. */
export async function countRows(
  { db }: TestOrders,
  table: "orders" | "customers" | "outbox" | "events" | "idempotency_records",
  tenantId: string,
): Promise<number> {
  const { rows } = await sql<{ count: string }>`
    select count(*) from ${table === "events" ? EVENTS : sql.table(table)} where tenant_id = ${tenantId}`.execute(
    db,
  );
  return Number(rows[0]?.count);
}
