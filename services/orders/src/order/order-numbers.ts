// The consecutive numbers that the platform gives to a tenant's orders (interface §4).
import { namedStatement } from "@tradepost/postgres";
import { sql } from "kysely";
import type { Tenant } from "../tables.ts";

export const FIRST_ORDER_NUMBER = 1_001;

export async function findByNumber(tx: Tenant, orderNumber: string): Promise<string | null> {
  const orders = tx.db.selectFrom("orders").select("id").where("tenant_id", "=", tx.tenantId);
  const found = await orders.where("order_number", "=", orderNumber).executeTakeFirst();
  return found?.id ?? null;
}

const NUMBERS_SKIPPED_MAX = 10_000;

/** Moves the tenant's counter to the next unused number, at most 10,000 ahead, or inserts it. */
export async function skipTakenNumbers(tx: Tenant): Promise<void> {
  const { db, tenantId } = tx;
  // Always read by the index of numbers. With `exists` and `=`, a plan made for an empty table reads all orders of the tenant.
  const isFree = sql`(
    select true from orders
     where tenant_id = ${tenantId} and order_number >= candidate::text and order_number <= candidate::text
     order by order_number limit 1) is null`;
  const { numAffectedRows } = await sql`
    update order_counters as counter set next_number = coalesce((
      select candidate
        from generate_series(counter.next_number, counter.next_number + ${sql.lit(NUMBERS_SKIPPED_MAX)}) candidate
       where ${isFree} limit 1),
      counter.next_number + ${sql.lit(NUMBERS_SKIPPED_MAX + 1)})
     where tenant_id = ${tenantId}`.execute(db);
  if (numAffectedRows === 0n) await lockOrderNumbers(tx);
}

/** Locks the tenant's counter until the commit, so that its imports cannot deadlock over numbers. */
export async function lockOrderNumbers(tx: Tenant): Promise<void> {
  // Kysely would send the lock after later statements that do not await it.
  await tx.query(lockStatement(tx));
}

const lockStatement = namedStatement<Tenant>(
  `
  insert into order_counters as counter (tenant_id, next_number) values ($counter.tenant_id, ${FIRST_ORDER_NUMBER})
  on conflict (tenant_id) do update set next_number = counter.next_number`,
  { counter: { tenant_id: ({ tenantId }) => tenantId } },
);
