// The consecutive numbers that the platform gives to a tenant's orders (interface §4).
import type { TenantStatements } from "@tradepost/postgres";
import type { Tables } from "../tables.ts";

/** The number of a tenant's first order. */
export const FIRST_ORDER_NUMBER = 1_001;

/** Returns the id of the order with the number, or null. */
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

/** Moves the tenant's counter to the next unused number, at most 10,000 numbers ahead. */
export async function skipTakenNumbers(tx: TenantStatements<Tables>): Promise<void> {
  await tx.query({ text: SKIP_TAKEN_NUMBERS, values: [tx.tenantId] });
}

const SKIP_TAKEN_NUMBERS = `
  update order_counters as counter set next_number = coalesce((
    select min(candidate) from generate_series(counter.next_number, counter.next_number + ${NUMBERS_SKIPPED_MAX}) candidate
     where not exists (select from orders where tenant_id = $1 and order_number = candidate::text)),
    counter.next_number + ${NUMBERS_SKIPPED_MAX + 1})
   where tenant_id = $1`;

/**
 * Locks the tenant's counter until the commit. So the imports of one tenant run one after another and cannot deadlock over
 * numbers.
 */
export async function lockOrderNumbers(tx: TenantStatements<Tables>): Promise<void> {
  await tx.query({ text: LOCK_ORDER_NUMBERS, values: [tx.tenantId] });
}

const LOCK_ORDER_NUMBERS = `
  insert into order_counters as counter (tenant_id, next_number) values ($1, ${FIRST_ORDER_NUMBER})
  on conflict (tenant_id) do update set next_number = counter.next_number`;
