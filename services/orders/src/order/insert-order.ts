// Writes an order in one statement: it finds the customer, takes the next number, and inserts the order, its lines, its
// event and the record for its Idempotency-Key. One round trip and one transaction: all of it commits, or nothing does.
import { isUuid } from "@tradepost/http";
import type { TenantStatements } from "@tradepost/postgres";
import type { Tables } from "../tables.ts";
import { insertOrderStatement, type NewOrder } from "./insert-order-statement.ts";

interface InsertedRow {
  existingId: string | null;
  customerFound: boolean;
  orderNumber: string | null;
  createdAt: Date | null;
  updatedAt: Date | null;
}

/** What the database decides of an order, or why it wrote none. */
export type Inserted =
  | { readonly orderNumber: string; readonly createdAt: Date; readonly updatedAt: Date }
  | { readonly existingId: string }
  | "customer not found"
  | "number taken";

/** The index that two orders of a channel with the same external id violate. */
export const EXTERNAL_IDS_KEY = "orders_external_id_key";

/**
 * Returns "customer not found" also if the Idempotency-Key has a record, and "number taken" if another order has the
 * number, supplied or generated. `existingId` is the order that has the external id, if the customer exists.
 * @throws the violation of the record's key if a request with the same key commits first; the violation of
 * `EXTERNAL_IDS_KEY` if an order with the same external id does.
 */
export async function insertOrder(tx: TenantStatements<Tables>, order: NewOrder): Promise<Inserted> {
  if (!isUuid(order.resource.customerId)) return "customer not found";
  const { rows } = await tx.query<InsertedRow>(insertOrderStatement(order));
  const { existingId, customerFound, orderNumber, createdAt, updatedAt } = rows[0] as InsertedRow;
  if (existingId !== null) return { existingId };
  if (!customerFound) return "customer not found";
  if (orderNumber === null || createdAt === null || updatedAt === null) return "number taken";
  return { orderNumber, createdAt, updatedAt };
}

/** Returns the id of the order that has the number; null if none has. */
export async function findByNumber(
  tx: TenantStatements<Tables>,
  orderNumber: string,
): Promise<string | null> {
  const { rows } = await tx.query<{ id: string }>({
    text: "select id from orders where tenant_id = $1 and order_number = $2",
    values: [tx.tenantId, orderNumber],
  });
  return rows[0]?.id ?? null;
}

// The most numbers that one statement skips.
const NUMBERS_SKIPPED_MAX = 10_000;

/** Moves the tenant's counter to the next number that no order has, at most 10,000 numbers ahead. */
export async function skipTakenNumbers(tx: TenantStatements<Tables>): Promise<void> {
  await tx.query({ text: SKIP_TAKEN_NUMBERS, values: [tx.tenantId] });
}

const SKIP_TAKEN_NUMBERS = `
  update order_counters as counter set next_number = coalesce((
    select min(candidate) from generate_series(counter.next_number, counter.next_number + ${NUMBERS_SKIPPED_MAX}) candidate
     where not exists (select from orders where tenant_id = $1 and order_number = candidate::text)),
    counter.next_number + ${NUMBERS_SKIPPED_MAX + 1})
   where tenant_id = $1`;
