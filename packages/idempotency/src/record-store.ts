// Stores the first response to each Idempotency-Key of a tenant's route, for 24 hours (interface §4). `sql/` has the table.
import type { ApiResponse, IdempotencyKey } from "@tradepost/http";
import { memberTexts, writeJson } from "@tradepost/json";
import { admit, type Cause } from "@tradepost/messaging";
import { type Logger, repeatOrWarn } from "@tradepost/runtime";
import { type QueryExecutorProvider, sql } from "kysely";
import type { Pool } from "pg";

/** The constraint that a second record for one key violates. */
export const RECORDS_PRIMARY_KEY = "idempotency_records_pkey";

/** A tenant with a database, or a transaction, that has the table of records. */
export interface RecordsOfTenant {
  readonly tenantId: string;
  readonly db: QueryExecutorProvider;
}

/**
 * Once it is false, the key may be used again. With `created_at > now() - …` the planner would choose the index by time while
 * the table is empty, and keep that slow plan.
 */
export const RECORD_IS_VALID = "created_at + interval '24 hours' > now()";

const isValid = sql.raw(RECORD_IS_VALID);

interface WithKey {
  readonly idempotencyKey: IdempotencyKey | null;
}

/** The key's columns for the group `record` of a `namedStatement` that writes a record itself; null without a key. */
export const keyColumns = {
  route: ({ idempotencyKey }: WithKey) => idempotencyKey?.route ?? null,
  key: ({ idempotencyKey }: WithKey) => idempotencyKey?.key ?? null,
  fingerprint: ({ idempotencyKey }: WithKey) => idempotencyKey?.fingerprint ?? null,
};

/**
 * Stores the response in the transaction of the change. Without a key it does nothing. A field of `response` that shows a
 * secret must be null (interface §1).
 * @throws the violation of the table's primary key if the key has a record, which `withIdempotencyKey` expects.
 */
export async function insertRecord(
  tx: RecordsOfTenant,
  idempotencyKey: IdempotencyKey | null,
  response: ApiResponse,
): Promise<void> {
  if (idempotencyKey === null) return;
  const { route, key, fingerprint } = idempotencyKey;
  await sql`
    insert into idempotency_records (tenant_id, route, key, fingerprint, answer)
    values (${tx.tenantId}, ${route}, ${key}, ${fingerprint}, ${writeJson(response)})`.execute(tx.db);
}

/**
 * Stores the response to a request that changes nothing and so writes no event: the bytes of its record count as bytes of
 * events, so that a quota bounds them (interface §19). The role needs the right to insert and update `event_bytes`.
 * @throws 409 `quota_exceeded`, and the violation of the table's primary key if the key has a record.
 */
export async function insertUnchangedRecord(
  tx: RecordsOfTenant,
  cause: Cause & { readonly idempotencyKey: IdempotencyKey | null },
  response: ApiResponse,
): Promise<void> {
  const { idempotencyKey } = cause;
  if (idempotencyKey === null) return;
  admit(cause, "eventBytes");
  const { route, key, fingerprint } = idempotencyKey;
  await sql`
    with record as (
      insert into idempotency_records (tenant_id, route, key, fingerprint, answer)
      values (${tx.tenantId}, ${route}, ${key}, ${fingerprint}, ${writeJson(response)})
      returning tenant_id, octet_length(answer::text) as bytes
    )
    insert into event_bytes as counted (tenant_id, day, shard, bytes)
    select tenant_id, (now() at time zone 'utc')::date, ${UNCHANGED_SHARD}, bytes from record
    on conflict (tenant_id, day, shard) do update set bytes = counted.bytes + excluded.bytes`.execute(tx.db);
}

// No shard of the outbox, so that nobody waits for a relay.
const UNCHANGED_SHARD = sql.lit(-2);

/**
 * Replaces the stored response after the commit that inserted it. If the process dies in between, the earlier response remains.
 * The role needs the right to update the table.
 */
export async function replaceRecord(
  tenant: RecordsOfTenant,
  idempotencyKey: IdempotencyKey | null,
  response: ApiResponse,
): Promise<void> {
  if (idempotencyKey === null) return;
  const { route, key, fingerprint } = idempotencyKey;
  await sql`
    update idempotency_records set answer = ${JSON.stringify(response)}
     where tenant_id = ${tenant.tenantId} and route = ${route} and key = ${key}
       and fingerprint = ${fingerprint}`.execute(tenant.db);
}

/** Returns the first response to the key and the fingerprint of its request, or null. */
export async function findRecord({ db, tenantId }: RecordsOfTenant, { route, key }: IdempotencyKey) {
  const { rows } = await sql<{ fingerprint: Buffer; answer: string }>`
    select fingerprint, answer::text as answer
      from idempotency_records
     where tenant_id = ${tenantId} and route = ${route} and key = ${key} and ${isValid}`.execute(db);
  const [row] = rows;
  return row === undefined ? null : { fingerprint: row.fingerprint, response: responseOf(row.answer) };
}

/** The body stays text: parsing would lose digits, and Postgres cannot extract it, because it refuses `\u0000`. */
function responseOf(answer: string): ApiResponse {
  const { status, headers = "{}", body = "null" } = Object.fromEntries(memberTexts(answer));
  return {
    status: Number(status),
    headers: { ...JSON.parse(headers), "content-type": "application/json; charset=utf-8" },
    bytes: Buffer.from(body),
  };
}

/** Deletes the record of a key if it has expired. */
export async function deleteExpiredRecord(
  { db, tenantId }: RecordsOfTenant,
  { route, key }: IdempotencyKey,
): Promise<void> {
  await sql`
    delete from idempotency_records
     where tenant_id = ${tenantId} and route = ${route} and key = ${key} and not (${isValid})`.execute(db);
}

/**
 * Keeps the records that were valid at `since` for another 24 hours, after a restore to that moment: a client that repeats its
 * latest requests does not place an order twice. Returns the number of records.
 */
export async function renewRecords(db: QueryExecutorProvider, since: Date): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    with renewed as (
      update idempotency_records set created_at = now()
       where created_at + interval '24 hours' > ${since} returning true
    )
    select count(*)::float as count from renewed`.execute(db);
  return rows[0]?.count ?? 0;
}

const PERIOD_MS = 60_000;
const BATCH_ROWS_MAX = 1_000;

/** Deletes expired records at once, then every minute. `pool` must act as a role that may delete every tenant's. */
export function startDeletingExpiredRecords(pool: Pool, logger: Logger) {
  return repeatOrWarn(
    logger,
    "expired idempotency records could not be deleted; retrying",
    PERIOD_MS,
    async () => {
      const { rowCount } = await pool.query(DELETE_EXPIRED);
      return rowCount === BATCH_ROWS_MAX ? 0 : PERIOD_MS;
    },
  );
}

// Not locked, which needs the right to update. If two replicas choose the same rows, the second deletes nothing.
const DELETE_EXPIRED = `
  delete from idempotency_records
   where ctid = any(array(
     select ctid from idempotency_records where created_at <= now() - interval '24 hours'
      order by created_at limit ${BATCH_ROWS_MAX}))`;
