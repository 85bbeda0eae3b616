// Reads and writes the rows of a tenant's customers.
import {
  bytesOf,
  newestFirst,
  type Tenant,
  type TenantDatabase,
  violatedConstraint,
  withinBytes,
} from "@tradepost/postgres";
import { newId } from "@tradepost/runtime";
import { sql } from "kysely";
import type { Tables } from "../tables.ts";
import { NEXT_UPDATED_AT, updatedWithin } from "../updated-within.ts";
import { verbatimColumn, verbatimOf } from "../verbatim-fields.ts";
import type { CustomerChange, CustomerInput, CustomersQuery } from "./customer-input.ts";
import { type Customer, type CustomerRow, customerOf } from "./customer-resource.ts";

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
] as const;

/** Returns the new customer; null if another one of the tenant has the externalId. */
export async function insertCustomer(
  { db, tenantId }: Tenant<Tables>,
  input: CustomerInput,
): Promise<Customer | null> {
  const row = await db
    .insertInto("customers")
    .values({
      tenant_id: tenantId,
      id: newId(),
      name: input.name,
      email: input.email ?? null,
      phone: input.phone ?? null,
      external_id: input.externalId ?? null,
      metadata: verbatimOf(input.metadata)?.text ?? null,
    })
    .onConflict((conflict) => conflict.constraint(EXTERNAL_IDS_KEY).doNothing())
    .returning(COLUMNS)
    .executeTakeFirst();
  return row === undefined ? null : customerOf(row);
}

const EXTERNAL_IDS_KEY = "customers_external_id_key";

/** Returns the changed customer, "version changed" since `before`, or "externalId taken" by another one of the tenant. */
export async function updateCustomer(
  { db, tenantId }: Tenant<Tables>,
  before: Customer,
  { name, email, phone, externalId, metadata }: CustomerChange,
): Promise<Customer | "version changed" | "externalId taken"> {
  const updating = db
    .updateTable("customers")
    .set({
      version: before.version + 1,
      updated_at: sql.raw(NEXT_UPDATED_AT),
      ...(name !== undefined && { name }),
      ...(email !== undefined && { email }),
      ...(phone !== undefined && { phone }),
      ...(externalId !== undefined && { external_id: externalId }),
      ...(metadata !== undefined && { metadata: verbatimOf(metadata)?.text ?? null }),
    })
    .where("tenant_id", "=", tenantId)
    .where("id", "=", before.id)
    .where("version", "=", before.version)
    .returning(COLUMNS);
  try {
    const row = await updating.executeTakeFirst();
    return row === undefined ? "version changed" : customerOf(row);
  } catch (error) {
    if (violatedConstraint(error) !== EXTERNAL_IDS_KEY) throw error;
    return "externalId taken";
  }
}

/** Returns null if the tenant has no such customer. */
export async function findCustomer(
  { db, tenantId }: Tenant<Tables>,
  by: { id: string } | { externalId: string },
): Promise<Customer | null> {
  const all = db.selectFrom("customers").select(COLUMNS).where("tenant_id", "=", tenantId);
  const matching = "id" in by ? all.where("id", "=", by.id) : all.where("external_id", "=", by.externalId);
  const row = await matching.executeTakeFirst();
  return row === undefined ? null : customerOf(row);
}

/** Returns the newest customers first, within the bytes of a page. `hasMore` says whether there is a next page. */
export async function listCustomers(
  tenant: TenantDatabase<Tables>,
  query: CustomersQuery,
): Promise<{ customers: Customer[]; hasMore: boolean }> {
  const { externalId, email, ids } = query;
  // A malformed id matches no customer.
  if (ids?.length === 0) return { customers: [], hasMore: false };
  let matching = tenant.db.selectFrom("customers").selectAll().where("tenant_id", "=", tenant.tenantId);
  if (externalId !== undefined) matching = matching.where("external_id", "=", externalId);
  if (email !== undefined) matching = matching.where("email_lower", "=", sql<string>`lower(${email})`);
  if (ids !== undefined) matching = matching.where("id", "in", ids);
  for (const condition of await updatedWithin(tenant, "customers", query))
    matching = matching.where(condition);
  const page = withinBytes(newestFirst(matching, query), { limit: query.limit, bytes: bytesOf("metadata") });
  const shown = tenant.db
    .selectFrom(page.as("page"))
    .select(COLUMNS)
    .select("has_more")
    .orderBy("page_position");
  const { sql: text, parameters } = shown.compile();
  // Not prepared: its text depends on the filters, and the best plan on their values.
  const { rows } = await tenant.query<CustomerRow & { has_more: boolean }>({
    ...{ text, values: [...parameters], isPrepared: false },
  });
  return { customers: rows.map(customerOf), hasMore: rows.at(-1)?.has_more ?? false };
}
