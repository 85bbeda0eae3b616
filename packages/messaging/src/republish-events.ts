// Publishes a service's retained events again, on an operator's request: after a queue was purged, or a consumer's database restored. It
// takes no lock, and leaves consumers time for new events. Consumers deduplicate by event id.
//
// It goes from the oldest event to the newest by (published_at, id), which never changes, and passes an event only after the broker has
// confirmed it. So the events of one aggregate keep their order, and a run that ends early can be continued.
import { sleep } from "@tradepost/runtime";
import type { Pool } from "pg";
import {
  BATCH_EVENTS_MAX,
  msToConsume,
  publishAgain,
  type RetainedRow,
  selectRetained,
  UNCONFIRMED_WAIT_MS,
} from "./publish-again.ts";
import type { RelayContext } from "./publish-in-order.ts";
import { TALLY_AGAIN } from "./tally.ts";

// Long enough for a restart of the broker.
const GIVE_UP_AFTER_MS = 5 * 60 * 1_000;

/** One event, or those published at or after `since` and before `until`. */
export type Republication = { readonly eventId: string } | { readonly since: Date; readonly until: Date };

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
 * Publishes the events, at most `perSecond` per second (400 by default), until the last one or until `signal` is aborted. An event that the
 * broker does not confirm is published again, until the broker has confirmed nothing for `giveUpAfterMs` (5 minutes by default). Returns
 * the number of confirmed events; when the first event left out was published, or null; and why that one was refused, or null if `signal`
 * ended the run or it reached the last event.
 */
export async function republishEvents(
  options: RelayContext & {
    wanted: Republication;
    perSecond?: number | undefined;
    giveUpAfterMs?: number;
    signal?: AbortSignal;
    onProgress?: (republished: number, isWaiting: boolean) => void;
  },
) {
  const { pool, wanted, perSecond, signal, onProgress, giveUpAfterMs = GIVE_UP_AFTER_MS } = options;
  const { condition, values } = conditionOf(wanted, options.feedOnlyTypes, 4);
  const nextEvents = selectRetained(condition, "asc");
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
    const { done, refused, outcomeOf } = await publishAgain(rows, options, "oldest first");
    const last = done.at(-1);
    if (last !== undefined) {
      [publishedAt, id] = [last.published_at, last.id];
      republished += done.filter((row) => outcomeOf(row) === "confirmed").length;
      lastConfirmAt = performance.now();
    }
    onProgress?.(republished, last === undefined);
    if (refused !== undefined && performance.now() - lastConfirmAt > giveUpAfterMs)
      return { republished, continueAt: new Date(refused.published_at), refusedAs: outcomeOf(refused) };
    await sleep(refused === undefined ? msToConsume(done, perSecond) : UNCONFIRMED_WAIT_MS, signal);
  }
}

/** The parameters are numbered from `first`. */
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

export async function readClock(pool: Pool): Promise<Date> {
  const { rows } = await pool.query<{ now: Date }>("select clock_timestamp() as now");
  return rows[0]?.now ?? new Date();
}

/** Makes the relay tally the events published since `since` again (`tally.ts`). */
export async function tallyAgain(pool: Pool, since: Date): Promise<void> {
  await pool.query(TALLY_AGAIN, [since]);
}

interface Retention {
  /** Events in the outbox: `parked` ones cannot be published. */
  readonly parked: number;
  readonly pending: number;
  readonly oldest: Date | null;
  /** For a republication of one event: where it is. */
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
