// Adds the search words of rows whose words are missing or outdated: rows from before the tables of words, and rows that release
// 0.2.0 wrote or changed while this release was running (migration 0016).
import type { TenantDatabases, TenantStatements } from "@tradepost/postgres";
import { type Logger, repeat } from "@tradepost/runtime";
import type { Pool } from "pg";
import type { Tables } from "../tables.ts";
import { searchTextOf, wordsOf, wordsOfCustomer } from "./search-words.ts";

// A batch locks its rows for some tens of milliseconds.
const BATCH_ROWS_MAX = 200;
// The pause leaves most of the database's time to requests, even with years of rows to index.
const PAUSE_MS = 20;
const PERIOD_MS = 30_000;

/**
 * Runs at once, and then every 30 s, until stopped. `worker` acts as the role that learns which tenants have such rows. Everything
 * else runs as the tenant.
 */
export function startIndexingWords(worker: Pool, tenants: TenantDatabases<Tables>, logger: Logger) {
  return repeat(async () => {
    try {
      const { rows } = await worker.query<{ id: string | null }>("select tenant_without_words() as id");
      const tenantId = rows[0]?.id ?? null;
      if (tenantId === null) return PERIOD_MS;
      const count = await tenants.of(tenantId).transaction(indexBatch);
      // Other transactions have locked the remaining rows.
      return count === 0 ? PERIOD_MS : PAUSE_MS;
    } catch (error) {
      logger.warn({ err: error }, "rows could not be given their words; retrying");
      return PERIOD_MS;
    }
  });
}

/** Returns the number of rows that were indexed. */
async function indexBatch(tx: TenantStatements<Tables>): Promise<number> {
  const customers = await tx.query<CustomerRow>({ text: CUSTOMERS, values: [tx.tenantId] });
  const orders = await tx.query<OrderRow>({ text: ORDERS, values: [tx.tenantId] });
  const written = [
    ...[writeStatement(SET_CUSTOMERS, customers.rows, wordsOfCustomer)],
    ...[
      writeStatement(SET_ORDERS, orders.rows, (row) =>
        wordsOf([row.number, row.externalId, row.trackingNumber]),
      ),
    ],
  ];
  for (const { text, values } of written) await tx.query({ text, values: [tx.tenantId, ...values] });
  return customers.rows.length + orders.rows.length;
}

interface CustomerRow {
  id: string;
  name: string;
  email: string | null;
  phone: string | null;
}
interface OrderRow {
  id: string;
  number: string;
  externalId: string | null;
  trackingNumber: string | null;
}

function writeStatement<Row extends { id: string }>(
  text: string,
  rows: readonly Row[],
  words: (row: Row) => readonly string[],
) {
  const found = rows.map((row) => ({ id: row.id, words: words(row) }));
  const pairs = found.flatMap(({ id, words }) => words.map((word) => ({ id, word })));
  return {
    text,
    values: [
      found.map(({ id }) => id),
      found.map(({ words }) => searchTextOf(words)),
      pairs.map(({ id }) => id),
      pairs.map(({ word }) => word),
    ],
  };
}

const CUSTOMERS = `
  select id, name, email, phone from customers
   where tenant_id = $1 and search_version is distinct from version
   limit ${BATCH_ROWS_MAX} for no key update skip locked`;

const ORDERS = `
  select id, order_number as number, external_id as "externalId", tracking_number as "trackingNumber" from orders
   where tenant_id = $1 and search_version is distinct from version
   limit ${BATCH_ROWS_MAX} for no key update skip locked`;

const SET_CUSTOMERS = `
  with changed as (
    update customers set search_text = given.search_text, search_version = version
      from unnest($2::uuid[], $3::text[]) as given (id, search_text)
     where customers.tenant_id = $1 and customers.id = given.id
  )
  insert into customer_words (tenant_id, word, customer_id)
  select $1, word, id from unnest($4::uuid[], $5::text[]) as given (id, word)
  on conflict do nothing`;

const SET_ORDERS = `
  with changed as (
    update orders set search_text = given.search_text, search_version = version
      from unnest($2::uuid[], $3::text[]) as given (id, search_text)
     where orders.tenant_id = $1 and orders.id = given.id
    returning orders.id, orders.created_at
  )
  insert into order_words (tenant_id, word, created_at, order_id)
  select $1, word, created_at, id from unnest($4::uuid[], $5::text[]) as given (id, word) join changed using (id)
  on conflict do nothing`;
