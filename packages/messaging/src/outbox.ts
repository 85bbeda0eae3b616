// The outbox as services write it: one row per event, in the transaction of the change.
import { writeJson } from "@tradepost/json";
import type { Columns } from "@tradepost/postgres";
import { newId } from "@tradepost/runtime";
import type { ColumnType, Generated } from "kysely";
import type { AdmittedCause, Cause } from "./quota.ts";

/** The columns that a service writes; the relay uses others as well. */
export interface OutboxTable {
  id: Generated<string>;
  event_id: string;
  aggregate_id: string;
  type: string;
  tenant_id: string;
  request_id: string;
  traceparent: string;
  /** 1 for an event that its process publishes itself (`first-events.ts`). */
  attempts: Generated<number>;
  actor: ColumnType<unknown, string, never>;
  /** JSON text: the event's data. */
  data: ColumnType<unknown, string, never>;
  occurred_at: Generated<Date>;
}

export type NewOutboxRow = Omit<OutboxTable, "id" | "attempts" | "actor" | "data" | "occurred_at"> & {
  attempts: 0 | 1;
  actor: string;
  data: string;
};

interface WithEvent {
  readonly event: NewOutboxRow;
}

/** The columns of the outbox, except `data` and `attempts`, for the group `event` of a `namedStatement`. */
export const eventColumns = {
  event_id: ({ event }: WithEvent) => event.event_id,
  aggregate_id: ({ event }: WithEvent) => event.aggregate_id,
  type: ({ event }: WithEvent) => event.type,
  tenant_id: ({ event }: WithEvent) => event.tenant_id,
  request_id: ({ event }: WithEvent) => event.request_id,
  traceparent: ({ event }: WithEvent) => event.traceparent,
  actor: ({ event }: WithEvent) => event.actor,
} satisfies Columns<WithEvent>;

/**
 * Returns an outbox row with a new event id. Before inserting it, the transaction must have locked or inserted the aggregate's own
 * row: otherwise two changes could commit in a different order from the ids of their outbox rows.
 */
export function outboxRow(
  type: string,
  aggregateId: string,
  data: unknown,
  cause: AdmittedCause,
): NewOutboxRow {
  const row = rowOf(type, aggregateId, data, cause);
  cause.caused?.push(row.event_id);
  return row;
}

function rowOf(type: string, aggregateId: string, data: unknown, cause: Cause): NewOutboxRow {
  return {
    event_id: newId(),
    aggregate_id: aggregateId,
    type,
    tenant_id: cause.principal.tenantId,
    request_id: cause.requestId,
    traceparent: cause.traceparent,
    attempts: 0,
    actor: JSON.stringify(cause.principal.actor),
    data: writeJson(data),
  };
}

/**
 * The prefix of the types of entries for the tenants' audit log. The relay publishes them to `platform.audit` with the rest of the
 * type, the action, as the routing key. Change feeds leave them out.
 */
export const AUDIT_PREFIX = "audit.";

/** `changes` must not contain a secret. */
export interface AuditEntry {
  readonly action: string;
  readonly target: { readonly type: string; readonly id: string };
  readonly changes: Readonly<Record<string, unknown>>;
}

function auditData({ target, changes }: AuditEntry, { principal }: Cause): object {
  return { target, changes, client: principal.client };
}

/**
 * Returns the row of an audit entry, for a service whose outbox also has events (interface §2). `aggregateId` as for `outboxRow`.
 */
export function auditRow(entry: AuditEntry, aggregateId: string, cause: Cause): NewOutboxRow {
  return rowOf(`${AUDIT_PREFIX}${entry.action}`, aggregateId, auditData(entry, cause), cause);
}

/** Like `auditRow`, for a service whose outbox has nothing else: the type is the action. */
export function auditOnlyRow(entry: AuditEntry, cause: Cause): NewOutboxRow {
  return rowOf(entry.action, entry.target.id, auditData(entry, cause), cause);
}
