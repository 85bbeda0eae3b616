// The outbox columns that each statement with an event fills, except `data`, which each statement writes itself.
import type { NewOutboxRow } from "@tradepost/messaging";
import { jsonTimeOf } from "./json-time.ts";
import type { Columns } from "./named-statement.ts";

interface WithEvent {
  readonly event: NewOutboxRow;
}

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
 * The SQL for a JSON text of a statement with `$pending.value`, which stands for a time that only the database knows. No text
 * that the caller supplies contains the new id in it.
 */
export function withTimeOf(column: string, jsonText: string): string {
  return `replace(${jsonText}, '"' || $pending.value || '"', ${jsonTimeOf(column)})::json`;
}
