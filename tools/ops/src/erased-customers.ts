// The two lists of erased customers: one in the gateway's database, one in the database of orders (interface §20). A restore of
// one database loses entries that the other still has.
import { findReturned, type ReturnedCustomer } from "@tradepost/orders/operate";
import { type QueryExecutorProvider, sql } from "kysely";
import type { Operator } from "./arguments.ts";

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
export async function findReturnedCustomers({ on }: Operator): Promise<ReturnedCustomer[]> {
  const erased = await on("gateway", readErased);
  return await on(
    "orders",
    async (db) => {
      const known = new Set(await readErased(db));
      return await findReturned(
        db,
        erased.filter((digest) => !known.has(digest)),
      );
    },
    { statementTimeoutMs: STATEMENT_TIMEOUT_MS },
  );
}
