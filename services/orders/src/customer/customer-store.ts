// Reads and writes a tenant's customers, as the API shows them.
import { ApiError, type PageQuery } from "@tradepost/http";
import { newestFirst, violatedConstraint } from "@tradepost/postgres";
import type { Kysely, Selectable } from "kysely";
import { v7 as uuidv7 } from "uuid";
import type { Tables } from "../tables.ts";

export interface CustomerInput {
  readonly name: string;
  readonly email?: string | undefined;
  readonly phone?: string | undefined;
  readonly externalId?: string | undefined;
  readonly metadata?: Record<string, unknown> | undefined;
}

/** Throws 409 `conflict` where another customer of the tenant has the externalId. */
export async function insertCustomer(db: Kysely<Tables>, tenantId: string, input: CustomerInput) {
  try {
    const row = await db
      .insertInto("customers")
      .values({
        tenant_id: tenantId,
        id: uuidv7(),
        name: input.name,
        email: input.email ?? null,
        phone: input.phone ?? null,
        external_id: input.externalId ?? null,
        metadata: input.metadata === undefined ? null : JSON.stringify(input.metadata),
      })
      .returningAll()
      .executeTakeFirstOrThrow();
    return customerOf(row);
  } catch (error) {
    if (violatedConstraint(error) !== "customers_external_id_key") throw error;
    throw new ApiError("conflict", "A customer with this externalId exists already.");
  }
}

export async function findCustomer(db: Kysely<Tables>, tenantId: string, id: string) {
  const row = await db
    .selectFrom("customers")
    .selectAll()
    .where("tenant_id", "=", tenantId)
    .where("id", "=", id)
    .executeTakeFirst();
  return row === undefined ? null : customerOf(row);
}

/** Newest first; one row more than the limit where there is a next page. */
export async function listCustomers(db: Kysely<Tables>, tenantId: string, page: PageQuery) {
  const all = db.selectFrom("customers").selectAll().where("tenant_id", "=", tenantId);
  const rows = await newestFirst(all, page).execute();
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
