// Stores the first response to each Idempotency-Key of a tenant's route, for 24 hours (interface §4).
import type { ApiResponse, IdempotencyKey } from "@tradepost/http";
import type { TenantStatements } from "@tradepost/postgres";
import type { Tables } from "../tables.ts";

/** The constraint that a second record for one key violates. */
export const RECORDS_PRIMARY_KEY = "idempotency_records_pkey";

/**
 * An SQL condition: once it is false, the key may be used again. It is not `created_at > now() - …`, because the planner
 * would then choose the index by time while the table is empty, and keep that slow plan when the table has grown.
 */
export const RECORD_IS_VALID = "created_at + interval '24 hours' > now()";

/** @throws the violation of `RECORDS_PRIMARY_KEY` where the key has a record. */
export async function insertRecord(
  tx: TenantStatements<Tables>,
  { route, key, fingerprint }: IdempotencyKey,
  response: ApiResponse,
): Promise<void> {
  await tx.query({
    text: INSERT,
    values: [tx.tenantId, route, key, fingerprint, JSON.stringify(response)],
  });
}

/** Returns the first response to the key and the fingerprint of its request, or null. */
export async function findRecord(tenant: TenantStatements<Tables>, { route, key }: IdempotencyKey) {
  const { rows } = await tenant.query<{ fingerprint: Buffer; response: ApiResponse }>({
    name: "find-idempotency-record",
    text: FIND,
    values: [tenant.tenantId, route, key],
  });
  return rows[0] ?? null;
}

/** Deletes the record of a key if it has expired. */
export async function deleteExpiredRecord(
  tenant: TenantStatements<Tables>,
  { route, key }: IdempotencyKey,
): Promise<void> {
  await tenant.query({ text: DELETE_EXPIRED, values: [tenant.tenantId, route, key] });
}

const INSERT = `
  insert into idempotency_records (tenant_id, route, key, fingerprint, answer) values ($1, $2, $3, $4, $5)`;

const FIND = `
  select fingerprint, answer as response from idempotency_records
   where tenant_id = $1 and route = $2 and key = $3 and ${RECORD_IS_VALID}`;

const DELETE_EXPIRED = `
  delete from idempotency_records
   where tenant_id = $1 and route = $2 and key = $3 and not (${RECORD_IS_VALID})`;
