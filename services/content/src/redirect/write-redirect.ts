// Creates and deletes redirects. Each change is one statement that also writes its event, and changes of several requests
// commit together (docs/decisions/0012).
import { ApiError, type ApiResponse, created, etagOf, type IdempotencyKey, invalid } from "@tradepost/http";
import { insertRecord, keyColumns } from "@tradepost/idempotency";
import {
  type AdmittedCause,
  COMMITTED_ROW,
  type CommittedRow,
  eventColumns,
  type FirstEvents,
  type NewOutboxRow,
  outboxRow,
  reservedUntil,
} from "@tradepost/messaging";
import {
  type Columns,
  columnsOf,
  completeJson,
  jsonTimeOf,
  namedStatement,
  newPlaceholder,
  parametersOf,
  placeholderColumns,
} from "@tradepost/postgres";
import { newId } from "@tradepost/runtime";
import type { Tenant } from "../tables.ts";
import type { RedirectInput } from "./redirect-input.ts";
import { lockRedirects, type Redirect, VERSION_IN } from "./redirect-store.ts";
import { targetPath } from "./site-path.ts";

// Browsers give up after 20 redirects. Each hop costs a lookup while the tenant's other changes wait.
const HOPS_MAX = 1_000;

/** Creates one redirect, as `createRedirectIn` does, in a transaction of its own, and records the response. */
export async function createRedirect(
  tenant: Tenant,
  request: AdmittedCause & { body: RedirectInput; idempotencyKey: IdempotencyKey | null },
  firstEvents: FirstEvents,
): Promise<Redirect> {
  const { body: input, idempotencyKey } = request;
  const event = firstEvents.reserve(outboxRow("redirect.added", newId(), {}, request));
  const { redirect, committed } = await insert(tenant.batched, { input, event, idempotencyKey });
  firstEvents.committed({ ...event, ...committed });
  return redirect;
}

/**
 * `from` is a normal path and `to` is valid. Throws 409 `redirect_exists` or 409 `redirect_loop`, and writes nothing then. A tenant's
 * redirects are created one after another; otherwise two could close a loop together that neither closes by itself.
 */
export async function createRedirectIn(
  tx: Tenant,
  input: RedirectInput,
  cause: AdmittedCause,
): Promise<Redirect> {
  const event = outboxRow("redirect.added", newId(), {}, cause);
  return (await insert(tx, { input, event, idempotencyKey: null })).redirect;
}

/** Deletes a redirect and creates another, or does neither: throws as `createRedirectIn` does, and 422 if there is no such redirect. */
export async function replaceRedirect(
  tenant: Tenant,
  id: string,
  request: AdmittedCause & { body: RedirectInput; idempotencyKey: IdempotencyKey | null },
): Promise<ApiResponse> {
  return await tenant.transaction(async (tx) => {
    await lockRedirects(tx);
    const removed = await tx.query(
      deleteWithEvent({ event: outboxRow("redirect.removed", id, {}, request) }),
    );
    if (removed.rows.length === 0) throw invalid([{ path: "replaces", message: "no such redirect" }]);
    const response = createdResponse(await createRedirectIn(tx, request.body, request));
    await insertRecord(tx, request.idempotencyKey, response);
    return response;
  });
}

async function insert(tx: Tenant, wanted: Omit<NewRedirect, "pending">) {
  const added = { ...wanted, pending: newPlaceholder() };
  const { rows } = await tx.query<CreatedRow>(insertRedirect(added));
  const { chain, createdAt, ...committed } = rows[0] as CreatedRow;
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
  return { redirect: { ...shownOf(added), createdAt }, committed };
}

interface CreatedRow extends CommittedRow {
  data: string;
  chain: "goal" | "too long" | "end";
  createdAt: Date | null;
}

export function createdResponse(redirect: { readonly id: string; readonly version: number }): ApiResponse {
  return created(redirect, `/v1/redirects/${redirect.id}`, { etag: etagOf(redirect.version) });
}

export async function deleteRedirect(tenant: Tenant, id: string, cause: AdmittedCause): Promise<boolean> {
  const event = outboxRow("redirect.removed", id, {}, cause);
  const { rows } = await tenant.batched.query(deleteWithEvent({ event }));
  return rows.length === 1;
}

interface NewRedirect {
  readonly input: RedirectInput;
  readonly event: NewOutboxRow;
  readonly idempotencyKey: IdempotencyKey | null;
  readonly pending: string;
}

const redirectColumns: Columns<NewRedirect> = {
  tenant_id: eventColumns.tenant_id,
  id: eventColumns.aggregate_id,
  from_path: ({ input }) => input.from,
  to_target: ({ input }) => input.to,
  to_path: ({ input }) => targetPath(input.to),
  type: ({ input }) => input.type,
};

/** The redirect in the event and in the recorded response. Only the database knows the time. */
function shownOf({ event, input: { from, to, type }, pending }: NewRedirect) {
  const version = VERSION_IN["redirect.added"];
  return { id: event.aggregate_id, from, to, type, createdAt: pending, version };
}

// The database's `follow_redirects` waits for the tenant's lock first, and sees what its last holder committed.
const insertRedirect = namedStatement<NewRedirect>(
  `
  with followed as (
    select follow_redirects($redirect.tenant_id, $redirect.to_path, $redirect.from_path, ${HOPS_MAX}) as chain
  ), changed as (
    insert into redirects (${columnsOf(redirectColumns)})
    select ${parametersOf("redirect", redirectColumns)} from followed where chain = 'end'
    on conflict on constraint redirects_from_key do nothing
    returning *
  ), event as (
    insert into outbox (${columnsOf(eventColumns)}, attempts, next_try_at, data)
    select ${parametersOf("event", eventColumns)}, $event.attempts, ${reservedUntil("$event.attempts")},
           ${completeJson("$event.data", jsonTimeOf("created_at"))}
      from changed
    returning id, occurred_at, data
  ), record as (
    insert into idempotency_records (tenant_id, route, key, fingerprint, answer)
    select $event.tenant_id, $record.route, $record.key::text, $record.fingerprint,
           ${completeJson("$record.response", jsonTimeOf("created_at"))}
      from changed where $record.key is not null
  )
  select chain, created_at as "createdAt", ${COMMITTED_ROW}, (select data from event)::text as data
    from followed left join changed on true`,
  {
    redirect: redirectColumns,
    event: {
      ...eventColumns,
      attempts: ({ event }) => event.attempts,
      data: (redirect) => JSON.stringify({ redirect: shownOf(redirect) }),
    },
    record: {
      ...keyColumns,
      response: (redirect) =>
        redirect.idempotencyKey === null ? null : JSON.stringify(createdResponse(shownOf(redirect))),
    },
    pending: placeholderColumns,
  },
);

// Takes no lock on the tenant's redirects. The request names a redirect that it has seen, so the transaction with its
// `redirect.added` ended before this one began, and only the transaction that deletes the row writes `redirect.removed`.
const deleteWithEvent = namedStatement<Pick<NewRedirect, "event">>(
  `
  with changed as (
    delete from redirects where tenant_id = $event.tenant_id and id = $event.aggregate_id
    returning *
  ), event as (
    insert into outbox (${columnsOf(eventColumns)}, data)
    select ${parametersOf("event", eventColumns)}, ('{"redirect":' || row_to_json(shown)::text || '}')::json
      from (select id, from_path as "from", to_target as "to", type,
                   ${jsonTimeOf("created_at")}::json as "createdAt",
                   ${VERSION_IN["redirect.removed"]} as version
              from changed) as shown
  )
  select from changed`,
  { event: eventColumns },
);
