// Events in statements: their types, and the outbox columns that each statement with an event fills, except `data`, which each statement writes itself.
import { eventData } from "@tradepost/event-catalog";
import type { NewOutboxRow } from "@tradepost/messaging";
import type { Columns } from "@tradepost/postgres";

/** The types of the events about a noun, such as `order`. */
export function eventTypesOf(noun: string): string[] {
  return Object.keys(eventData).filter((type) => type.startsWith(`${noun}.`));
}

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

/** The SQL for a timestamp column as JSON, written as `JSON.stringify` writes a Date. */
export function jsonTimeOf(column: string): string {
  return `to_json(to_char(${column} at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))::text`;
}
