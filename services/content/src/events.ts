// Events: their causes, also for a change that happens later, and the statement that writes several of them.
import { type AdmittedCause, type Cause, type NewOutboxRow, withoutQuota } from "@tradepost/messaging";
import { sql } from "kysely";
import type { StoredCause, Tenant } from "./tables.ts";

/** Writes several events in their order. The text does not vary with their number, so the statement stays prepared. */
export async function insertEvents({ db }: Tenant, events: readonly NewOutboxRow[]): Promise<void> {
  if (events.length === 0) return;
  const all = <Column extends keyof NewOutboxRow>(column: Column) => events.map((event) => event[column]);
  await sql`
    insert into outbox (event_id, aggregate_id, type, tenant_id, request_id, traceparent, actor, data)
    select event_id, aggregate_id, type, tenant_id, request_id, traceparent, actor::json, data::json
      from unnest(${all("event_id")}::uuid[], ${all("aggregate_id")}::uuid[], ${all("type")}::text[],
                  ${all("tenant_id")}::uuid[], ${all("request_id")}::text[], ${all("traceparent")}::text[],
                  ${all("actor")}::text[], ${all("data")}::text[])
           with ordinality event (event_id, aggregate_id, type, tenant_id, request_id, traceparent, actor, data, position)
     order by position`.execute(db);
}

export function storedCauseOf({ principal, requestId, traceparent }: Cause): StoredCause {
  return { actor: principal.actor, requestId, traceparent };
}

/** No quota stops what an admitted request has begun. */
export function causeFrom(tenantId: string, { actor, requestId, traceparent }: StoredCause): AdmittedCause {
  return withoutQuota({ principal: { tenantId, actor }, requestId, traceparent });
}
