// Stores the first response to each Idempotency-Key of a tenant's route, for 24 hours (interface §4).
import type { ApiResponse, IdempotencyKey } from "@tradepost/http";
import type { Tenant } from "@tradepost/postgres";
import { sql } from "kysely";
import type { Tables } from "../tables.ts";

/** The constraint that a second record for one key violates. */
export const RECORDS_PRIMARY_KEY = "idempotency_records_pkey";

/**
 * An SQL condition: once it is false, the key may be used again. It is not `created_at > now() - …`, because the planner
 * would then choose the index by time while the table is empty, and keep that slow plan when the table has grown.
 */
export const RECORD_IS_VALID = "created_at + interval '24 hours' > now()";

/** @throws the violation of `RECORDS_PRIMARY_KEY` if the key has a record. */
export async function insertRecord(
  tx: Tenant<Tables>,
  { route, key, fingerprint }: IdempotencyKey,
  response: ApiResponse,
): Promise<void> {
  await tx.db
    .insertInto("idempotency_records")
    .values({ tenant_id: tx.tenantId, route, key, fingerprint, answer: JSON.stringify(response) })
    .execute();
}

/** Returns the first response to the key and the fingerprint of its request, or null. */
export async function findRecord({ db, tenantId }: Tenant<Tables>, { route, key }: IdempotencyKey) {
  const row = await db
    .selectFrom("idempotency_records")
    .select(["fingerprint", "answer"])
    .where("tenant_id", "=", tenantId)
    .where("route", "=", route)
    .where("key", "=", key)
    .where(isValid)
    .executeTakeFirst();
  // The service wrote the column from an ApiResponse.
  return row === undefined ? null : { fingerprint: row.fingerprint, response: row.answer as ApiResponse };
}

/** Deletes the record of a key if it has expired. */
export async function deleteExpiredRecord(
  { db, tenantId }: Tenant<Tables>,
  { route, key }: IdempotencyKey,
): Promise<void> {
  await db
    .deleteFrom("idempotency_records")
    .where("tenant_id", "=", tenantId)
    .where("route", "=", route)
    .where("key", "=", key)
    .where(({ not }) => not(isValid))
    .execute();
}

const isValid = sql<boolean>`${sql.raw(RECORD_IS_VALID)}`;
