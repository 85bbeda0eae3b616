// The outbox columns that each statement with an event fills, except `data`, which each statement writes itself.
import type { NewOutboxRow } from "@tradepost/messaging";
import type { Columns } from "../named-statement.ts";

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
