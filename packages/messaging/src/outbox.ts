// The outbox table as services write it: one row for each event, in the transaction of the change it tells of.
// The table itself stands in each service's migrations (see `relay.ts` for what the relay expects of it).
import { newId } from "@tradepost/runtime";
import type { ColumnType, Generated } from "kysely";

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
  readonly principal: {
    readonly tenantId: string;
    readonly actor: { readonly type: string; readonly id: string; readonly name: string };
  };
}

/**
 * In: the event's type, the aggregate whose events must stay in order, its data as the API shows it, and the cause.
 * Out: the row to insert. The aggregate's own row must be locked or inserted before it in the same transaction,
 * or two changes could commit in another order than their rows' ids.
 */
export function outboxRow(type: string, aggregateId: string, data: unknown, cause: Cause): NewOutboxRow {
  return {
    event_id: newId(),
    aggregate_id: aggregateId,
    type,
    tenant_id: cause.principal.tenantId,
    request_id: cause.requestId,
    traceparent: cause.traceparent,
    actor: JSON.stringify(cause.principal.actor),
    data: JSON.stringify(data),
  };
}
