// Reads and writes a tenant's customers, as the API shows them.
import { ApiError } from "@tradepost/http";
import { newestFirst, type Tenant, violatedConstraint } from "@tradepost/postgres";
import { newId } from "@tradepost/runtime";
import type { Selectable } from "kysely";
import type { Tables } from "../tables.ts";
import type { CustomerChange, CustomerInput, CustomersQuery } from "./customer-input.ts";

/** @throws 409 `conflict` if another customer of the tenant has the externalId. */
export async function insertCustomer({ db, tenantId }: Tenant<Tables>, input: CustomerInput) {
  const inserting = db
    .insertInto("customers")
    .values({
      tenant_id: tenantId,
      id: newId(),
      name: input.name,
      email: input.email ?? null,
      phone: input.phone ?? null,
      external_id: input.externalId ?? null,
      metadata: input.metadata === undefined ? null : JSON.stringify(input.metadata),
    })
    .returningAll();
  return customerOf(await rejectTakenExternalId(inserting.executeTakeFirstOrThrow()));
}

/**
 * Returns the changed customer, or null if the tenant has no customer with this id.
 * @throws 409 `conflict` if another customer of the tenant has the externalId.
 */
export async function updateCustomer(
  { db, tenantId }: Tenant<Tables>,
  id: string,
  { name, email, phone, externalId, metadata }: CustomerChange,
) {
  const updating = db
    .updateTable("customers")
    .set((is) => ({
      // SQL needs at least one column to set, and the change may be empty.
      name: name ?? is.ref("name"),
      ...(email !== undefined && { email }),
      ...(phone !== undefined && { phone }),
      ...(externalId !== undefined && { external_id: externalId }),
      ...(metadata !== undefined && { metadata: metadata === null ? null : JSON.stringify(metadata) }),
    }))
    .where("tenant_id", "=", tenantId)
    .where("id", "=", id)
    .returningAll();
  const row = await rejectTakenExternalId(updating.executeTakeFirst());
  return row === undefined ? null : customerOf(row);
}

async function rejectTakenExternalId<Row>(writing: Promise<Row>): Promise<Row> {
  try {
    return await writing;
  } catch (error) {
    if (violatedConstraint(error) !== "customers_external_id_key") throw error;
    throw new ApiError("conflict", "Another customer has this externalId.");
  }
}

export async function findCustomer({ db, tenantId }: Tenant<Tables>, id: string) {
  const row = await db
    .selectFrom("customers")
    .selectAll()
    .where("tenant_id", "=", tenantId)
    .where("id", "=", id)
    .executeTakeFirst();
  return row === undefined ? null : customerOf(row);
}

/** Returns the newest customers first, and one more than the limit if there is a next page. */
export async function listCustomers(
  { db, tenantId }: Tenant<Tables>,
  { externalId, ...page }: CustomersQuery,
) {
  const all = db.selectFrom("customers").selectAll().where("tenant_id", "=", tenantId);
  const matching = externalId === undefined ? all : all.where("external_id", "=", externalId);
  const rows = await newestFirst(matching, page).execute();
  return rows.map(customerOf);
}

function customerOf(row: Selectable<Tables["customers"]>) {
  return {
    id: row.id,
    name: row.name,
    ...(row.email !== null && { email: row.email }),
    ...(row.phone !== null && { phone: row.phone }),
    ...(row.external_id !== null && { externalId: row.external_id }),
    ...(row.metadata !== null && { metadata: row.metadata }),
    createdAt: row.created_at,
  };
}
