// The outbox columns that each statement with an event fills, except `data`, which each statement writes itself.
import type { NewOutboxRow } from "@tradepost/messaging";
import type { Columns } from "../named-statement.ts";

export const eventColumns: Columns<{ readonly event: NewOutboxRow }> = {
  event_id: ({ event }) => event.event_id,
  aggregate_id: ({ event }) => event.aggregate_id,
  type: ({ event }) => event.type,
  tenant_id: ({ event }) => event.tenant_id,
  request_id: ({ event }) => event.request_id,
  traceparent: ({ event }) => event.traceparent,
  actor: ({ event }) => event.actor,
};
