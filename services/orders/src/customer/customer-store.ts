// The rows of a tenant's customers. A change and its event, for the change feed only, are one statement.
import type { ExportPage, Position } from "@tradepost/http";
import { type AdmittedCause, eventColumns, type NewOutboxRow, outboxRow } from "@tradepost/messaging";
import {
  bytesOf,
  type Columns,
  columnsOf,
  completeJson,
  jsonTimeOf,
  namedStatement,
  newestFirst,
  newPlaceholder,
  OLDEST_FIRST,
  oldestFirst,
  parametersOf,
  placeholderColumns,
  queryUnprepared,
  violatedConstraint,
  withinBytes,
} from "@tradepost/postgres";
import { newId } from "@tradepost/runtime";
import { hasWords, readExportPage, searchTextOf } from "@tradepost/search";
import { type Expression, type RawBuilder, type Selectable, sql } from "kysely";
import { EVENT, event } from "../event-of-change.ts";
import {
  bytesOfWords,
  countFound,
  countWords,
  planOf,
  readFound,
  rowsWith,
  wordsOfCustomer,
} from "../search/search.ts";
import type { Tables, Tenant } from "../tables.ts";
import { NEXT_UPDATED_AT, updatedWithin } from "../updated-within.ts";
import { verbatimColumn } from "../verbatim-fields.ts";
import type { CustomerChange, CustomerInput, CustomersQuery } from "./customer-input.ts";
import { type Customer, customerOf } from "./customer-resource.ts";

const COLUMNS = [
  "id",
  "name",
  "email",
  "phone",
  "external_id",
  verbatimColumn("metadata"),
  "version",
  "created_at",
  "updated_at",
  "erased_at",
] as const;

export async function insertCustomer(
  tx: Tenant,
  input: CustomerInput,
  cause: AdmittedCause,
): Promise<Customer | null> {
  const customer = { id: newId(), ...input, version: 1 };
  const pending = newPlaceholder();
  const written = { ...customer, createdAt: pending, updatedAt: pending };
  const event = outboxRow("customer.created", customer.id, { customer: written }, cause);
  const { rows } = await tx.query<Pick<Customer, "createdAt" | "updatedAt">>(
    insertStatement({ customer, pending, event }),
  );
  const [times] = rows;
  return times === undefined ? null : { ...customer, ...times };
}

const EXTERNAL_IDS_KEY = "customers_external_id_key";

/** Returns the customer, "version changed" since `before`, or "externalId taken" by another customer. */
export async function updateCustomer(
  tenant: Tenant,
  before: Customer,
  { name, email, phone, externalId, metadata }: CustomerChange,
  cause: AdmittedCause,
): Promise<Customer | "version changed" | "externalId taken"> {
  const customer: Customer = {
    ...before,
    version: before.version + 1,
    ...(name !== undefined && { name }),
    ...(email !== undefined && { email: email ?? undefined }),
    ...(phone !== undefined && { phone: phone ?? undefined }),
    ...(externalId !== undefined && { externalId: externalId ?? undefined }),
    ...(metadata !== undefined && { metadata: metadata ?? undefined }),
  };
  const pending = newPlaceholder();
  const written = { ...customer, updatedAt: pending };
  const event = outboxRow("customer.updated", customer.id, { customer: written }, cause);
  try {
    const { rows } = await tenant.query<Pick<Customer, "updatedAt">>(
      updateStatement({ customer, removedWords: removedWords(before, customer), pending, event }),
    );
    const [time] = rows;
    return time === undefined ? "version changed" : { ...customer, ...time };
  } catch (error) {
    if (violatedConstraint(error) !== EXTERNAL_IDS_KEY) throw error;
    return "externalId taken";
  }
}

function removedWords(before: Customer, after: Customer): string[] {
  const kept = new Set(wordsOfCustomer(after));
  return wordsOfCustomer(before).filter((word) => !kept.has(word));
}

interface Writing {
  readonly customer: Omit<Customer, "createdAt" | "updatedAt">;
  readonly pending: string;
  readonly event: NewOutboxRow;
}

const columns: Columns<Writing> = {
  name: ({ customer }) => customer.name,
  email: ({ customer }) => customer.email ?? null,
  phone: ({ customer }) => customer.phone ?? null,
  external_id: ({ customer }) => customer.externalId ?? null,
  metadata: ({ customer }) => customer.metadata?.text ?? null,
};
const search = {
  text: ({ customer }: Writing) => searchTextOf(wordsOfCustomer(customer)),
  words: ({ customer }: Writing) => wordsOfCustomer(customer),
  bytes: ({ customer }: Writing) => bytesOfWords(wordsOfCustomer(customer)),
};

const insertStatement = namedStatement<Writing>(
  `
  with new_customer as (
    insert into customers (tenant_id, id, ${columnsOf(columns)}, search_text)
    values ($event.tenant_id, $event.aggregate_id, ${parametersOf("customer", columns)}, $search.text)
    on conflict on constraint ${EXTERNAL_IDS_KEY} do nothing
    returning created_at, updated_at
  ), new_words as (
    insert into customer_words (tenant_id, word, customer_id)
    select $event.tenant_id, word, $event.aggregate_id from new_customer, unnest($search.words::text[]) word
  ), event as (
    insert into outbox (${columnsOf(eventColumns)}, words_bytes, data)
    select ${parametersOf("event", eventColumns)}, $search.bytes, ${completeJson("$event.data", jsonTimeOf("created_at"))} from new_customer
  )
  select created_at as "createdAt", updated_at as "updatedAt" from new_customer`,
  { customer: columns, search, event, pending: placeholderColumns },
);

const updateStatement = namedStatement<Writing & { readonly removedWords: readonly string[] }>(
  `
  with changed as (
    update customers
       set (${columnsOf(columns)}) = row (${parametersOf("customer", columns)}), version = $customer.version,
           updated_at = ${NEXT_UPDATED_AT}, search_text = $search.text
     where tenant_id = $event.tenant_id and id = $event.aggregate_id and version = $customer.version - 1
    returning updated_at
  ), old_words as (
    delete from customer_words
     using changed
     where tenant_id = $event.tenant_id and customer_id = $event.aggregate_id and word = any($removed.words::text[])
  ), new_words as (
    insert into customer_words (tenant_id, word, customer_id)
    select $event.tenant_id, word, $event.aggregate_id from changed, unnest($search.words::text[]) word
    on conflict do nothing
  ), ${EVENT}
  select updated_at as "updatedAt" from changed`,
  {
    customer: { ...columns, version: ({ customer }) => customer.version },
    search,
    removed: { words: ({ removedWords }) => removedWords },
    event,
    pending: placeholderColumns,
  },
);

export async function findCustomer(
  { db, tenantId }: Tenant,
  by: { id: string } | { externalId: string },
): Promise<Customer | null> {
  const all = db.selectFrom("customers").select(COLUMNS).where("tenant_id", "=", tenantId);
  const matching = "id" in by ? all.where("id", "=", by.id) : all.where("external_id", "=", by.externalId);
  const row = await matching.executeTakeFirst();
  return row === undefined ? null : customerOf(row);
}

/** Newest first, within the bytes of a page. */
export async function listCustomers(tenant: Tenant, query: CustomersQuery) {
  const search = await searchCustomers(tenant, query);
  if (search === null) return { customers: [], hasMore: false };
  const { limit } = query;
  return await readFound(search, limit, (rows) => readPage(tenant, rows, { limit }));
}

export async function countCustomers(tenant: Tenant, query: CustomersQuery) {
  return await countFound(tenant, await searchCustomers(tenant, { ...query, cursor: null }));
}

/** Returns null if no customer can match. */
async function searchCustomers(tenant: Tenant, query: CustomersQuery) {
  const { search: words = [], cursor } = query;
  const matching = await matchingCustomers(tenant, query);
  const newest = (limit: number): Expression<Row> => newestFirst(matching, { limit, cursor });
  const counts = await countWords(tenant, words, { ofOrders: false });
  const plan = planOf(counts);
  if (plan === null) return null;
  const hasEachWord = hasWords(
    SEARCH_TEXT,
    counts.map(({ word }) => word),
  );
  const found = sql`(select distinct customer_id as found_id from ${rowsWith("customer_words", tenant, counts[0]?.word ?? [""])} found)`;
  return {
    plan,
    newest,
    ofNewest: (rowsMax: number, limit: number) => sql<Row>`
      select * from (${newest(rowsMax)}) newest where ${hasEachWord} order by created_at desc, id desc limit ${limit + 1}`,
    byWords: (limit: number): Expression<Row> => sql<Row>`
      select customers.* from ${found} found cross join lateral (
        ${matching.where(sql<boolean>`id = found_id`).where(hasEachWord)}) customers
       where ${isAfter(cursor)} order by created_at desc, id desc limit ${limit + 1}`,
  };
}

type CustomerFilters = Omit<CustomersQuery, "limit" | "cursor" | "count">;

async function matchingCustomers(tenant: Tenant, query: CustomerFilters) {
  const { externalId, email, ids } = query;
  let matching = tenant.db.selectFrom("customers").selectAll().where("tenant_id", "=", tenant.tenantId);
  if (externalId !== undefined) matching = matching.where("external_id", "=", externalId);
  if (email !== undefined) matching = matching.where("email_lower", "=", sql<string>`lower(${email})`);
  if (ids !== undefined) matching = matching.where("id", "in", ids);
  for (const condition of await updatedWithin(tenant, "customers", query))
    matching = matching.where(condition);
  return matching;
}

const SEARCH_TEXT = sql<string>`coalesce(search_text, '')`;

const EXPORTED_ROWS_MAX = 500;

export async function customersToExport(
  tenant: Tenant,
  query: CustomerFilters,
): Promise<(after: Position | null) => Promise<ExportPage<Customer>>> {
  const matching = await matchingCustomers(tenant, query);
  const read = async (rows: typeof matching, after: Position | null) => {
    const limit = EXPORTED_ROWS_MAX;
    const limited = oldestFirst(rows, { limit, after });
    const { customers, hasMore } = await readPage(tenant, limited, { limit, order: OLDEST_FIRST });
    return { rows: customers, hasMore };
  };
  const condition = query.search && hasWords(SEARCH_TEXT, query.search);
  return (after) => readExportPage(tenant, { matching, condition, after, read });
}

type Row = Selectable<Tables["customers"]>;

function isAfter(cursor: CustomersQuery["cursor"]): RawBuilder<boolean> {
  return cursor === null ? sql`true` : sql`(created_at, id) < (${cursor.createdAt}, ${cursor.id})`;
}

async function readPage(
  tenant: Tenant,
  limited: Expression<Row>,
  { limit, order }: { limit: number; order?: RawBuilder<unknown> },
): Promise<{ customers: Customer[]; hasMore: boolean }> {
  const page = withinBytes(limited, { limit, bytes: bytesOf("metadata"), ...(order && { order }) });
  const shown = tenant.db
    .selectFrom(page.as("page"))
    .select(COLUMNS)
    .select("has_more")
    .orderBy("page_position");
  const rows = await queryUnprepared(tenant, shown);
  return { customers: rows.map(customerOf), hasMore: rows.at(-1)?.has_more ?? false };
}
