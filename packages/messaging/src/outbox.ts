// The outbox as services write it: one row per event, in the transaction of the change. `sql/` has the tables.
import { writeJson } from "@tradepost/json";
import { newId } from "@tradepost/runtime";
import type { ColumnType, Generated } from "kysely";

/** The columns that a service writes; the relay uses others as well. */
export interface OutboxTable {
  id: Generated<string>;
  event_id: string;
  aggregate_id: string;
  type: string;
  tenant_id: string;
  request_id: string;
  traceparent: string;
  /** JSON text: `{type, id, name}`. */
  actor: ColumnType<unknown, string, never>;
  /** JSON text: the event's data. */
  data: ColumnType<unknown, string, never>;
}

export type NewOutboxRow = Omit<OutboxTable, "id" | "actor" | "data"> & { actor: string; data: string };

/** The request that causes a change, and who made it. Every request of the HTTP server has these fields. */
export interface Cause {
  readonly requestId: string;
  readonly traceparent: string;
  /** Throws if the change may write no event, because the tenant's events have used up their quota. */
  readonly admit?: (quota: "eventBytes") => void;
  readonly principal: {
    readonly tenantId: string;
    readonly actor: { readonly type: string; readonly id: string; readonly name: string };
    /** Where the request came from; absent if the change was not made by a request. */
    readonly client?: { readonly ip: string | null; readonly userAgent: string | null };
  };
}

/** An erasure is a deletion, which no quota stops. */
const ERASED = /\.erased$/;

/**
 * Returns an outbox row for an event, with a new event id. Throws if `cause` does not admit an event. Before inserting it, the transaction must have locked or inserted the
 * aggregate's own row: otherwise two changes could commit in a different order from the ids of their outbox rows.
 */
export function outboxRow(type: string, aggregateId: string, data: unknown, cause: Cause): NewOutboxRow {
  if (!ERASED.test(type)) cause.admit?.("eventBytes");
  return rowOf(type, aggregateId, data, cause);
}

function rowOf(type: string, aggregateId: string, data: unknown, cause: Cause): NewOutboxRow {
  return {
    event_id: newId(),
    aggregate_id: aggregateId,
    type,
    tenant_id: cause.principal.tenantId,
    request_id: cause.requestId,
    traceparent: cause.traceparent,
    actor: JSON.stringify(cause.principal.actor),
    data: writeJson(data),
  };
}

/**
 * Outbox rows whose type begins with this prefix are entries for the tenants' audit log. The relay publishes them to
 * `platform.audit` with the action, which is the rest of the type, as the routing key. Change feeds leave them out.
 */
export const AUDIT_PREFIX = "audit.";

/** An entry for the tenant's audit log. Its `changes` must not contain a secret. */
export interface AuditEntry {
  readonly action: string;
  readonly target: { readonly type: string; readonly id: string };
  readonly changes: Readonly<Record<string, unknown>>;
}

/** The data of an audit entry's row: what changed, and where the request came from. */
function auditData(
  { target, changes }: Pick<AuditEntry, "target" | "changes">,
  { principal }: Cause,
): object {
  return { target, changes, client: principal.client };
}

/**
 * Returns the outbox row of an audit entry, for a service whose outbox also has events (interface §2). `aggregateId` is the
 * aggregate of the change: as with `outboxRow`, the transaction must have locked or inserted its row.
 */
export function auditRow(entry: AuditEntry, aggregateId: string, cause: Cause): NewOutboxRow {
  return rowOf(`${AUDIT_PREFIX}${entry.action}`, aggregateId, auditData(entry, cause), cause);
}

/** The outbox row of an audit entry, for a service whose outbox has nothing else: its type is the action. No quota stops it. */
export function auditOnlyRow(entry: AuditEntry, cause: Cause): NewOutboxRow {
  return rowOf(entry.action, entry.target.id, auditData(entry, cause), cause);
}
