// Event types, and the outbox columns of all statements with an event, except `data`.
import { eventData } from "@tradepost/event-catalog";
import type { NewOutboxRow } from "@tradepost/messaging";
import type { Columns } from "@tradepost/postgres";

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
