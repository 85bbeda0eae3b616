// Publishes a service's retained events again, on an operator's request: after a queue was purged, or after a consumer's database
// was restored to an earlier time. It runs alongside the service's relay and replay on its own connections, takes no lock, and
// leaves consumers time for new events. Consumers deduplicate by the event's id.
//
// It proceeds from the oldest event to the newest by (published_at, id), which never changes, and passes an event only after the
// broker has confirmed it. So the events of one aggregate keep their order, and a run that ends early can be continued.
import { type Logger, sleep } from "@tradepost/runtime";
import type { Pool } from "pg";
import { type OutboxRow, publishInOrder } from "./publish-in-order.ts";
import { BATCH_BYTES_MAX } from "./publish-shards.ts";
import type { Publisher, PublishOutcome } from "./publisher.ts";
import { TALLY_AGAIN } from "./tally.ts";

// Small, so that a new event never waits behind many old ones.
const BATCH_EVENTS_MAX = 100;
// The same rate as a replay's: fan-out discards known events several times faster.
const EVENTS_PER_SECOND = 400;
const UNCONFIRMED_WAIT_MS = 1_000;
// Long enough for a restart of the broker.
const GIVE_UP_AFTER_MS = 5 * 60 * 1_000;

/** One event, or the events that were published at or after `since` and before `until`. */
export type Republication = { readonly eventId: string } | { readonly since: Date; readonly until: Date };

interface Republished {
  readonly republished: number;
  /** The publication time of the first event that was left out; null if the last event was reached. */
  readonly continueAt: Date | null;
  /** Why the broker did not accept that event; null if `signal` ended the run, or it reached the last event. */
  readonly refusedAs: PublishOutcome | null;
}

/** Counts the retained events of a republication, without the types in `feedOnlyTypes`. */
export async function countRetained(
  pool: Pool,
  wanted: Republication,
  feedOnlyTypes: readonly string[],
): Promise<number> {
  const { condition, values } = conditionOf(wanted, feedOnlyTypes, 1);
  const { rows } = await pool.query<{ count: number }>(
    `select count(*)::float as count from published_events where ${condition}`,
    values,
  );
  return rows[0]?.count ?? 0;
}

/**
 * Publishes the events, at most `perSecond` per second (400 by default), until the last one is published or `signal` is aborted.
 * `onProgress` gets the number of events so far, and whether the broker confirms none at the moment. An event that the broker does
 * not confirm is published again, until the broker has confirmed nothing for `giveUpAfterMs` (5 minutes by default).
 */
export async function republishEvents(options: {
  pool: Pool;
  publisher: Publisher;
  exchange: string;
  /** Whether an event of this type must reach a queue. */
  mustRoute: (type: string) => boolean;
  /** The types of events that only the change feed lists; they are left out. */
  feedOnlyTypes: readonly string[];
  wanted: Republication;
  perSecond?: number | undefined;
  giveUpAfterMs?: number;
  signal?: AbortSignal;
  onProgress?: (republished: number, isWaiting: boolean) => void;
  logger: Logger;
}): Promise<Republished> {
  const { pool, wanted, perSecond = EVENTS_PER_SECOND, signal, onProgress } = options;
  const { giveUpAfterMs = GIVE_UP_AFTER_MS } = options;
  const relay = { ...options, replayDays: 0 };
  const { condition, values } = conditionOf(wanted, options.feedOnlyTypes, 4);
  const nextEvents = statementFor(condition);
  let [publishedAt, id] = ["-infinity", "0"];
  let republished = 0;
  let lastConfirmAt = performance.now();
  for (;;) {
    const { rows } = await pool.query<RetainedRow>(nextEvents, [
      publishedAt,
      id,
      BATCH_EVENTS_MAX,
      ...values,
    ]);
    const [first] = rows;
    if (first === undefined) return { republished, continueAt: null, refusedAs: null };
    if (signal?.aborted) return { republished, continueAt: new Date(first.published_at), refusedAs: null };
    const outcomes = new Map(
      (await publishInOrder(rows, relay, { replayed: true })).map(
        ({ row, outcome }) => [row.id, outcome] as const,
      ),
    );
    const firstUnconfirmed = rows.findIndex(({ id }) => {
      const outcome = outcomes.get(id);
      return outcome !== "confirmed" && outcome !== "unencodable";
    });
    const done = firstUnconfirmed === -1 ? rows : rows.slice(0, firstUnconfirmed);
    const last = done.at(-1);
    if (last !== undefined) {
      [publishedAt, id] = [last.published_at, last.id];
      republished += done.filter((row) => outcomes.get(row.id) === "confirmed").length;
      lastConfirmAt = performance.now();
    }
    onProgress?.(republished, last === undefined);
    const refused = rows[firstUnconfirmed];
    if (refused !== undefined && performance.now() - lastConfirmAt > giveUpAfterMs) {
      const refusedAs = outcomes.get(refused.id) ?? "unavailable";
      return { republished, continueAt: new Date(refused.published_at), refusedAs };
    }
    await sleep(
      firstUnconfirmed === -1 ? msToConsume(done, perSecond) : UNCONFIRMED_WAIT_MS,
      signal ?? new AbortController().signal,
    );
  }
}

type RetainedRow = OutboxRow & { readonly published_at: string; readonly size_bytes: number };

/** Returns how long consumers get for a batch, in ms. */
function msToConsume(events: readonly RetainedRow[], perSecond: number): number {
  const bytes = events.reduce((sum, { size_bytes }) => sum + size_bytes, 0);
  return 1_000 * Math.max(events.length / perSecond, bytes / BATCH_BYTES_MAX);
}

/** Returns an SQL condition and the values of its parameters, which are numbered from `first`. */
function conditionOf(
  wanted: Republication,
  feedOnlyTypes: readonly string[],
  first: number,
): { condition: string; values: unknown[] } {
  const isSent = `type <> all($${first}::text[])`;
  return "eventId" in wanted
    ? { condition: `${isSent} and event_id = $${first + 1}`, values: [feedOnlyTypes, wanted.eventId] }
    : {
        condition: `${isSent} and published_at >= $${first + 1} and published_at < $${first + 2}`,
        values: [feedOnlyTypes, wanted.since, wanted.until],
      };
}

/** Each condition has its own statement text, so that a plan without values uses the right index. */
function statementFor(condition: string): string {
  // Times are text, because a Date would lose the microseconds. `data` is read only from the rows returned.
  return `
    select id, event_id, aggregate_id, type, tenant_id, occurred_at, request_id, traceparent,
           actor::text as actor, data::text as data, published_at::text as published_at, size_bytes
      from (select sized.*, sum(size_bytes) over oldest_first as bytes_so_far,
                   row_number() over oldest_first as position
              from (select id, event_id, aggregate_id, type, tenant_id, occurred_at, request_id, traceparent, actor, data,
                           published_at, coalesce(size_bytes, octet_length(data::text)) as size_bytes
                      from published_events
                     where ${condition} and (published_events.published_at, id) > ($1::timestamptz, $2::bigint)
                     order by published_events.published_at, id
                     limit $3) as sized
            window oldest_first as (order by sized.published_at, id rows unbounded preceding)) as measured
     where bytes_so_far <= ${BATCH_BYTES_MAX} or position = 1
     order by measured.published_at, id`;
}

/** Returns the time of the database. */
export async function readClock(pool: Pool): Promise<Date> {
  const { rows } = await pool.query<{ now: Date }>("select clock_timestamp() as now");
  return rows[0]?.now ?? new Date();
}

/** Makes the relay tally the events published since `since` again, after they were published again (`tally.ts`). */
export async function tallyAgain(pool: Pool, since: Date): Promise<void> {
  await pool.query(TALLY_AGAIN, [since]);
}

interface Retention {
  /** Numbers of events in the outbox: `parked` ones cannot be published, `pending` ones will be. */
  readonly parked: number;
  readonly pending: number;
  /** When the oldest retained event was published. */
  readonly oldest: Date | null;
  /** For a republication of one event: where the event is, or null if it is not found. */
  readonly state: "parked" | "pending" | "published" | null;
  /** For a republication of one event: its type, if it is published. */
  readonly type: string | null;
}

/** Reads which events a republication does not cover. */
export async function readRetention(pool: Pool, wanted: Republication): Promise<Retention> {
  const { rows } = await pool.query<Retention>(READ_RETENTION, ["eventId" in wanted ? wanted.eventId : null]);
  const [retention] = rows;
  if (retention === undefined) throw new Error("the outbox could not be read");
  return retention;
}

const READ_RETENTION = `
  select (select count(*)::float from outbox where parked_at is not null) as parked,
         (select count(*)::float from outbox where parked_at is null) as pending,
         (select published_at from published_events order by published_at, id limit 1) as oldest,
         coalesce((select case when parked_at is null then 'pending' else 'parked' end from outbox where event_id = $1),
                  (select 'published' from published_events where event_id = $1 limit 1)) as state,
         (select type from published_events where event_id = $1 limit 1) as type`;
