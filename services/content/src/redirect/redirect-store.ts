// Creates, deletes and reads redirects. Each change is one statement that also writes its event, and changes of several
// requests commit together (docs/decisions/0012).

import { ApiError, type ApiResponse, created, type IdempotencyKey, type PageQuery } from "@tradepost/http";
import { type Cause, type NewOutboxRow, outboxRow } from "@tradepost/messaging";
import { newestFirst, type Tenant, type TenantDatabase } from "@tradepost/postgres";
import { newId } from "@tradepost/runtime";
import { type Selectable, sql } from "kysely";
import type { Tables } from "../tables.ts";
import { type Redirect, targetPath, VERSION_IN } from "./redirect.ts";
import type { RedirectInput } from "./redirect-input.ts";

// Browsers give up after 20 redirects. Each hop costs a lookup while the tenant's other changes wait.
const HOPS_MAX = 1_000;

/**
 * `from` is a normal path and `to` is valid. Throws 409 `redirect_exists` or 409 `redirect_loop`. A tenant's redirects are
 * created one after another; otherwise two could close a loop together that neither closes by itself. With a key, the same
 * statement records the response; it throws the violation of the record's primary key if the key has a record.
 */
export async function createRedirect(
  tenant: TenantDatabase<Tables>,
  input: RedirectInput,
  idempotencyKey: IdempotencyKey | null,
  cause: Cause,
): Promise<Redirect> {
  const { from, to, type } = input;
  const id = newId();
  const event = outboxRow("redirect.added", id, {}, cause);
  const values = [...eventValues(event), from, to, targetPath(to), type];
  const { rows } = await tenant.batched.query<CreatedRow>(
    idempotencyKey === null
      ? { text: CREATE_REDIRECT, values }
      : { text: CREATE_REDIRECT_WITH_RECORD, values: [...values, ...recordValues(id, idempotencyKey)] },
  );
  const { chain, createdAt } = rows[0] as CreatedRow;
  if (chain === "goal") throw new ApiError("redirect_loop", "The redirect would close a loop.");
  if (chain === "too long") {
    throw new ApiError(
      "redirect_loop",
      `The redirect would start a chain of more than ${HOPS_MAX} redirects.`,
    );
  }
  if (createdAt === null) {
    throw new ApiError("redirect_exists", "A redirect from this path already exists.");
  }
  return { id, from, to, type, createdAt };
}

/** The response to the request that creates a redirect. */
export function createdResponse(id: string, redirect: unknown): ApiResponse {
  return created(redirect, `/v1/redirects/${id}`);
}

interface CreatedRow {
  chain: "goal" | "too long" | "end";
  createdAt: Date | null;
}

/** Returns false if the redirect does not exist. */
export async function deleteRedirect(
  tenant: TenantDatabase<Tables>,
  id: string,
  cause: Cause,
): Promise<boolean> {
  const event = outboxRow("redirect.removed", id, {}, cause);
  const { rowCount } = await tenant.batched.query({
    text: DELETE_REDIRECT,
    values: eventValues(event),
  });
  return rowCount === 1;
}

/** The parameters $1 to $7 of both statements; $2 is the redirect's id. The statements write the event's data. */
function eventValues(event: NewOutboxRow): unknown[] {
  const { tenant_id, aggregate_id, event_id, type, request_id, traceparent, actor } = event;
  return [tenant_id, aggregate_id, event_id, type, request_id, traceparent, actor];
}

/** The parameters $12 to $16 of the statement with a record, which puts the redirect in place of $16 in the response. */
function recordValues(id: string, { route, key, fingerprint }: IdempotencyKey): unknown[] {
  const pending = `${id} pending`;
  return [route, key, fingerprint, JSON.stringify(createdResponse(id, pending)), JSON.stringify(pending)];
}

/**
 * Locks the tenant's redirects until the transaction ends, as `follow_redirects` does. It must be the first lock of the
 * transaction: the change feed is in the order of the transactions' ids, a row lock gives the transaction its id, and a
 * redirect that is created before this lock is free must come before what this transaction does to it
 * (docs/decisions/0014).
 */
export async function lockRedirects({ db, tenantId }: Tenant<Tables>): Promise<void> {
  await sql`select ${redirectsLock(tenantId)}`.execute(db);
}

/** The lock as an expression, for a statement that takes it under a condition. */
export function redirectsLock(tenantId: string) {
  return sql`pg_advisory_xact_lock(hashtextextended(${tenantId}, 0))`;
}

export async function findRedirect({ db, tenantId }: Tenant<Tables>, id: string): Promise<Redirect | null> {
  const row = await db
    .selectFrom("redirects")
    .selectAll()
    .where("tenant_id", "=", tenantId)
    .where("id", "=", id)
    .executeTakeFirst();
  return row === undefined ? null : redirectOf(row);
}

/** `from` is a normal path. */
export async function findRedirectFrom(
  { db, tenantId }: Tenant<Tables>,
  from: string,
): Promise<Redirect | null> {
  const row = await db
    .selectFrom("redirects")
    .selectAll()
    .where("tenant_id", "=", tenantId)
    .where("from_path", "=", from)
    .executeTakeFirst();
  return row === undefined ? null : redirectOf(row);
}

/** Newest first, one more than the limit if there is a next page. `from` is a normal path. */
export async function listRedirects(
  { db, tenantId }: Tenant<Tables>,
  { from, ...page }: PageQuery & { from?: string | undefined },
): Promise<Redirect[]> {
  const all = db.selectFrom("redirects").selectAll().where("tenant_id", "=", tenantId);
  const matching = from === undefined ? all : all.where("from_path", "=", from);
  const rows = await newestFirst(matching, page).execute();
  return rows.map(redirectOf);
}

export type RedirectRow = Selectable<Tables["redirects"]>;

export function redirectOf(row: RedirectRow): Redirect {
  return { id: row.id, from: row.from_path, to: row.to_target, type: row.type, createdAt: row.created_at };
}

// `redirect` is the row in `changed` as JSON, the same text as that of a `Redirect`.
const REDIRECT = `
  (select row_to_json(shown)::text as json
     from (select id, from_path as "from", to_target as "to", type,
                  to_char(created_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "createdAt"
             from changed) as shown) as redirect`;

const eventOf = (type: keyof typeof VERSION_IN) => `
  event as (
    insert into outbox (tenant_id, aggregate_id, event_id, type, request_id, traceparent, actor, data)
    select $1, $2, $3, $4, $5, $6, $7,
           ('{"redirect":' || left(redirect.json, -1) || ',"version":${VERSION_IN[type]}}}')::json from ${REDIRECT}
  )`;
const ADDED = eventOf("redirect.added");

const RECORD = `
  record as (
    insert into idempotency_records (tenant_id, route, key, fingerprint, answer)
    select $1, $12, $13, $14, replace($15, $16, redirect.json)::json from ${REDIRECT}
  )`;

// `follow_redirects` (migration 0009) waits for the tenant's lock first, and sees what its last holder committed.
const createRedirectWith = (writes: string) => `
  with followed as (
    select follow_redirects($1, $10, $8, ${HOPS_MAX}) as chain
  ), changed as (
    insert into redirects (tenant_id, id, from_path, to_target, to_path, type)
    select $1, $2, $8, $9, $10, $11 from followed where chain = 'end'
    on conflict on constraint redirects_from_key do nothing
    returning *
  ), ${writes}
  select chain, created_at as "createdAt" from followed left join changed on true`;
const CREATE_REDIRECT = createRedirectWith(ADDED);
const CREATE_REDIRECT_WITH_RECORD = createRedirectWith(`${ADDED}, ${RECORD}`);

// Takes no lock on the tenant's redirects: the request names a redirect that it has seen, so `redirect.added` is of a
// transaction that ended before this one began, and only the transaction that deletes the row writes `redirect.removed`.
const DELETE_REDIRECT = `
  with changed as (
    delete from redirects where tenant_id = $1 and id = $2
    returning *
  ), ${eventOf("redirect.removed")}
  select from changed`;
