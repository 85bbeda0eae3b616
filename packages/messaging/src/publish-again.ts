// Shared by a replay (`replay.ts`) and an operator's republication (`republish-events.ts`).
import { type OutboxRow, publishInOrder, type RelayContext, ROW_COLUMNS } from "./publish-in-order.ts";
import { BATCH_BYTES_MAX } from "./publish-shards.ts";
import type { PublishOutcome } from "./publisher.ts";

/** A batch is small, so that a new event never waits behind many old ones. */
export const BATCH_EVENTS_MAX = 100;
/** Fan-out discards known events several times faster, even if two services publish to it. */
const EVENTS_PER_SECOND = 400;
export const UNCONFIRMED_WAIT_MS = 1_000;

export type RetainedRow = OutboxRow & { readonly published_at: string; readonly size_bytes: number };

/** `rows` are in the order in which all events are visited. `done` are the rows before the first refused one. */
export async function publishAgain(
  rows: readonly RetainedRow[],
  relay: RelayContext,
  order: "oldest first" | "newest first",
) {
  const oldestFirst = order === "oldest first" ? rows : rows.toReversed();
  const published = await publishInOrder(oldestFirst, relay, { replayed: true });
  const outcomes = new Map(published.map(({ row, outcome }) => [row.id, outcome] as const));
  const outcomeOf = ({ id }: OutboxRow): PublishOutcome => outcomes.get(id) ?? "unavailable";
  const isRefused = (row: OutboxRow) => !["confirmed", "unencodable"].includes(outcomeOf(row));
  const refused = rows.find(isRefused);
  return { done: refused === undefined ? rows : rows.slice(0, rows.indexOf(refused)), refused, outcomeOf };
}

/** The time that consumers need, in ms. */
export function msToConsume(events: readonly RetainedRow[], perSecond = EVENTS_PER_SECOND): number {
  const bytes = events.reduce((sum, { size_bytes }) => sum + size_bytes, 0);
  return 1_000 * Math.max(events.length / perSecond, bytes / BATCH_BYTES_MAX);
}

/**
 * Returns the statement that reads the next `$3` events after, or before, the one published at `$1` with the id `$2`. `condition` is its
 * only other condition, so that a plan without values uses the right index.
 */
export function selectRetained(condition: string, order: "asc" | "desc"): string {
  // Times are text, because a Date would lose the microseconds. `data` is read only from the rows returned, except to measure events
  // published before sizes were stored.
  return `
    select ${ROW_COLUMNS}, actor::text as actor, data::text as data, published_at::text as published_at, size_bytes
      from (select sized.*, sum(size_bytes) over in_order as bytes_so_far, row_number() over in_order as position
              from (select ${ROW_COLUMNS}, actor, data, published_at,
                           coalesce(size_bytes, octet_length(data::text)) as size_bytes
                      from published_events
                     where (published_events.published_at, id) ${order === "asc" ? ">" : "<"} ($1::timestamptz, $2::bigint)
                       and ${condition}
                     order by published_events.published_at ${order}, id ${order}
                     limit $3) as sized
            window in_order as (order by sized.published_at ${order}, id ${order} rows unbounded preceding)) as measured
     where bytes_so_far <= ${BATCH_BYTES_MAX} or position = 1
     order by measured.published_at ${order}, id ${order}`;
}
