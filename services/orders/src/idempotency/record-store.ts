// Keeps the first answer to each Idempotency-Key of a tenant's route, for 24 hours (contract §4).
import type { ApiResponse, IdempotencyKey } from "@tradepost/http";
import type { TenantStatements } from "@tradepost/postgres";
import type { Tables } from "../tables.ts";

/** The name of the constraint that the second to answer under a key meets. */
export const ANSWERED_ALREADY = "idempotency_records_pkey";

/**
 * An SQL condition on a record; once it does not hold, the key may be used again. Written so that no look-up by key is
 * ever planned over the index by time, which is right while the table is empty and ruinous when it is not.
 */
export const IS_KEPT = "created_at + interval '24 hours' > now()";

const INSERT = `
  insert into idempotency_records (tenant_id, route, key, fingerprint, answer) values ($1, $2, $3, $4, $5)`;

/** In: a transaction, and the answer to what is done in it. Throws the violation of `ANSWERED_ALREADY`. */
export async function insertRecord(
  within: TenantStatements<Tables>,
  { route, key, fingerprint }: IdempotencyKey,
  answer: ApiResponse,
): Promise<void> {
  await within.query({
    text: INSERT,
    values: [within.tenantId, route, key, fingerprint, JSON.stringify(answer)],
  });
}

const FIND = `
  select fingerprint, answer from idempotency_records
   where tenant_id = $1 and route = $2 and key = $3 and ${IS_KEPT}`;

/** Out: the first answer under the key and the fingerprint of what it answers, or null. */
export async function findRecord(tenant: TenantStatements<Tables>, { route, key }: IdempotencyKey) {
  const { rows } = await tenant.query<{ fingerprint: Buffer; answer: ApiResponse }>({
    name: "find-idempotency-record",
    text: FIND,
    values: [tenant.tenantId, route, key],
  });
  return rows[0] ?? null;
}

const FORGET = `
  delete from idempotency_records
   where tenant_id = $1 and route = $2 and key = $3 and not (${IS_KEPT})`;

/** Makes room for a key whose record is older than it is kept. */
export async function forgetRecord(tenant: TenantStatements<Tables>, key: IdempotencyKey): Promise<void> {
  await tenant.query({ text: FORGET, values: [tenant.tenantId, key.route, key.key] });
}
