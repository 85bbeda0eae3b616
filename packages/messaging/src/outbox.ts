// The outbox as services write it: one row per event, in the transaction of the change.
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

/** The request that causes a change, and who made it. */
export interface Cause {
  readonly requestId: string;
  readonly traceparent: string;
  /** Throws if the tenant's events have used up their quota. */
  readonly admit?: (quota: "eventBytes") => void;
  readonly principal: {
    readonly tenantId: string;
    readonly actor: { readonly type: string; readonly id: string; readonly name: string };
    /** Absent if the change was not made by a request. */
    readonly client?: { readonly ip: string | null; readonly userAgent: string | null };
  };
}

/** An erasure is a deletion, which no quota stops. */
const ERASED = /\.erased$/;

/**
 * Returns an outbox row with a new event id. Before inserting it, the transaction must have locked or inserted the aggregate's own
 * row: otherwise two changes could commit in a different order from the ids of their outbox rows.
 *
 * @throws 409 `quota_exceeded` if `cause` does not admit an event.
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

/** For a service whose outbox has nothing else: the type is the action. */
export function auditOnlyRow(entry: AuditEntry, cause: Cause): NewOutboxRow {
  return rowOf(entry.action, entry.target.id, auditData(entry, cause), cause);
}

interface TenantStatements {
  readonly tenantId: string;
  query<Row extends object>(statement: { text: string; values: unknown[] }): Promise<{ rows: Row[] }>;
}

/**
 * Returns the bytes of the data of a tenant's events that are in the outbox, or published and kept (interface §19). The relay
 * counts what it publishes, so few rows are read.
 */
export async function keptEventBytes(tenant: TenantStatements): Promise<number> {
  const { rows } = await tenant.query<{ bytes: number }>({ text: KEPT, values: [tenant.tenantId] });
  return rows[0]?.bytes ?? 0;
}

// One statement, so that an event that is moved meanwhile counts once. The count may be negative after an erasure of events that a
// relay of 0.2.0 has moved.
const KEPT = `
  select (greatest((select coalesce(sum(bytes), 0) from event_bytes where tenant_id = $1), 0)
          + (select coalesce(sum(size_bytes), 0) from outbox where tenant_id = $1))::float8 as bytes`;
