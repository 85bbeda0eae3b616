// The two lists of erased customers: one in the gateway's database, one in the database of orders (interface §20). A restore of
// one database loses entries that the other one still has.
import { findReturned, type ReturnedCustomer } from "@tradepost/orders/operate";
import { type Kysely, type QueryExecutorProvider, sql } from "kysely";
import type { Addresses } from "./addresses.ts";
import { onService, type TablesOf } from "./with-database.ts";

// All customers may be read, but only after a restore.
const STATEMENT_TIMEOUT_MS = 5 * 60 * 1_000;

export async function readErased(db: QueryExecutorProvider): Promise<string[]> {
  const { rows } = await sql<{ digest: string }>`
    select encode(customer_digest, 'hex') as digest from erased_customers`.execute(db);
  return rows.map(({ digest }) => digest);
}

export async function addErased(db: QueryExecutorProvider, digests: readonly string[]): Promise<void> {
  await sql`
    insert into erased_customers (customer_digest) select decode(digest, 'hex') from unnest(${digests}::text[]) digest
    on conflict do nothing`.execute(db);
}

/** The customers who exist in orders again as before their erasure, by the gateway's list or by the erasures of orders. */
export async function findReturnedCustomers(databases: Addresses["databases"]): Promise<ReturnedCustomer[]> {
  const erased = await onService(databases, "gateway", readErased);
  const find = async (db: Kysely<TablesOf["orders"]>) => {
    const known = new Set(await readErased(db));
    const unknown = erased.filter((digest) => !known.has(digest));
    return await findReturned(db, unknown);
  };
  return await onService(databases, "orders", find, { statementTimeoutMs: STATEMENT_TIMEOUT_MS });
}
