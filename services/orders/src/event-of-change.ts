// The event that a statement writes with its change.
import { eventColumns, type NewOutboxRow } from "@tradepost/messaging";
import { columnsOf, completeJson, jsonTimeOf, parametersOf } from "@tradepost/postgres";

export const event = { ...eventColumns, data: ({ event }: { event: NewOutboxRow }) => event.data };

/** A CTE that follows `changed`, which returns `updated_at`. */
export const EVENT = `event as (
    insert into outbox (${columnsOf(eventColumns)}, words_bytes, data, occurred_at)
    select ${parametersOf("event", eventColumns)}, $search.bytes, ${completeJson("$event.data", jsonTimeOf("updated_at"))}, updated_at
      from changed
  )`;
