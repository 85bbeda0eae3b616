// Writes an order in one statement: it finds the customer, takes the next number, and inserts the order, its lines, its
// event and the record for its Idempotency-Key. One round trip and one transaction: all of it commits, or nothing does.
import { isUuid } from "@tradepost/http";
import type { TenantStatements } from "@tradepost/postgres";
import type { Tables } from "../tables.ts";
import { insertOrderStatement, type NewOrder } from "./insert-order-statement.ts";

interface InsertedRow {
  customerFound: boolean;
  orderNumber: string | null;
  createdAt: Date | null;
}

/**
 * Returns what the database decided, or why it wrote no order: "customer not found" also if the Idempotency-Key has a
 * record, "number taken" if another order has the number, supplied or generated.
 * @throws the violation of the record's key if a request with the same key commits first.
 */
export async function insertOrder(
  tx: TenantStatements<Tables>,
  order: NewOrder,
): Promise<{ orderNumber: string; createdAt: Date } | "customer not found" | "number taken"> {
  if (!isUuid(order.resource.customerId)) return "customer not found";
  const { rows } = await tx.query<InsertedRow>(insertOrderStatement(order));
  const { customerFound, orderNumber, createdAt } = rows[0] as InsertedRow;
  if (!customerFound) return "customer not found";
  return orderNumber === null || createdAt === null ? "number taken" : { orderNumber, createdAt };
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
