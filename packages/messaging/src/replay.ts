// Publishes retained events again that the broker may have lost. The relay retains confirmed events for some days. After a broker
// has lost its data, or a queue, it is unknown which events were consumed, so all retained events are published again. Consumers
// deduplicate by event id.
//
// There are two signs of a loss. A relay that does not find its own queue knows that the broker has lost its data. A consumer that
// does not find its subscribed queue requests a replay through the exchange `platform.replay`. Both are recorded only in the table
// `replay`: if a process dies, any other relay continues.
//
// A replay runs alongside the publication of new events, at a rate that leaves consumers time for those, and from the newest event
// to the oldest, because recent events are the most likely to be lost. Replayed messages have the header `replayed`. The events of
// one aggregate keep their order within a batch, but not across batches: only first publications have the order of the commits.
//
// Why no event is missed. Let E be an event that was confirmed, and then lost by the broker or never routed to a queue that was not
// bound yet.
//  1. A replay is recorded after E's confirm, and after the queue that E belongs to is bound. The consumer requests a replay after
//     it has bound its queue. If a relay's queue is bound by then, the relay records the request. If not, the relay binds its queue
//     later and then records a replay by itself. Both are repeated until a marker proves that they were done (`declare-once.ts`).
//  2. When that replay begins, E is in `published_events` or still in the outbox. E's relay publishes it under the lock of its
//     shard, and moves it before it releases the lock. Beginning a replay takes the lock of every shard after the replay was
//     recorded, and so waits for the end of each transaction with an earlier confirm. Once is enough: an event published after the
//     beginning needs no replay. A relay begins a replay before it publishes more events, so few events are published twice without
//     need.
//  3. The replay visits all events of the last 7 days that are in `published_events` when it begins: it starts at the greatest
//     (published_at, id), which never changes, and goes down by that key. It passes an event only after the broker has confirmed
//     it, and ends when no event is left below.
//  4. A request during a replay makes it start over, so 2 and 3 hold for that request as well.
import { inTransaction } from "@tradepost/postgres";
import { type Repetition, repeatOrWarn } from "@tradepost/runtime";
import { failPoint } from "@tradepost/runtime/fail-point";
import type { PoolClient } from "pg";
import {
  BATCH_EVENTS_MAX,
  msToConsume,
  publishAgain,
  type RetainedRow,
  selectRetained,
  UNCONFIRMED_WAIT_MS,
} from "./publish-again.ts";
import type { RelayContext } from "./publish-in-order.ts";
import { lockAllShards } from "./publish-shards.ts";

// After a batch that was only partly confirmed, the confirmed events that are older than an unconfirmed one are published again. To
// repeat few of them, the next batch has one event.
const BATCH_GROWTH = 4;
const CHECK_EVERY_MS = 1_000;
const UNTIL_WOKEN_MS = 60_000;
// Long enough to notice any loss of the broker, and shorter than consumers remember the ids of consumed events. For the change
// feed, events may be retained for longer.
export const REPLAYED_DAYS = 7;
const YIELD_MS = 100;

interface ReplayContext extends RelayContext {
  readonly replayDays: number;
}

/** Continues recorded replays until stopped. `mustYield` says whether new events are waiting, which have priority. */
export function startReplayLoop(
  relay: ReplayContext,
  { isRecorded, isUp, mustYield }: Record<"isRecorded" | "isUp" | "mustYield", () => boolean>,
): Repetition {
  return repeatOrWarn(relay.logger, "the replay was interrupted; retrying", CHECK_EVERY_MS, async () => {
    if (!isRecorded()) return UNTIL_WOKEN_MS;
    if (!isUp()) return CHECK_EVERY_MS;
    if (mustYield()) return YIELD_MS;
    return await replayBatch(relay);
  });
}

/** Waits for the batches that relays have in flight. */
export async function beginReplay({ pool, logger }: RelayContext): Promise<void> {
  await inTransaction(pool, async (client) => {
    const { rowCount } = await client.query(CLAIM_NEW_REPLAY);
    if (rowCount === 0) return;
    // While this transaction holds the locks of all shards, no relay has confirmed events that it has not committed yet.
    await lockAllShards(client);
    // An event that its process has published may be lost, too. Without the reservation a relay publishes it again.
    await client.query(END_RESERVATIONS);
    failPoint("replay.locked");
    await client.query(START_AT_NEWEST);
    failPoint("replay.begun");
    logger.info("replay of all retained events begun");
  });
}

interface Replay {
  readonly before_published_at: string;
  readonly before_id: string;
  readonly batch_events: number;
}

/** Returns how many ms to wait before the next batch. */
async function replayBatch(relay: ReplayContext): Promise<number> {
  const waitMs = await inTransaction(relay.pool, async (client) => {
    const { rows } = await client.query<Replay>(CLAIM_REPLAY);
    failPoint("replay.claimed");
    const [replay] = rows;
    // Another relay publishes a batch, or the replay has ended.
    if (replay === undefined) return CHECK_EVERY_MS;
    const { rows: events } = await client.query<RetainedRow>(NEXT_EVENTS, [
      ...[replay.before_published_at, replay.before_id, replay.batch_events],
      ...[relay.replayDays, relay.feedOnlyTypes],
    ]);
    failPoint("replay.read");
    if (events.length === 0) return await end(client, relay);
    return await publishBatch(client, events, replay, relay);
  });
  failPoint("replay.committed");
  return waitMs;
}

async function end(client: PoolClient, { replayDays, logger }: ReplayContext): Promise<number> {
  await client.query("delete from replay");
  // Tallies may be lost as well. The events are tallied again, so that a second loss is noticed too.
  await client.query(TALLY_AGAIN_FROM_OLDEST, [replayDays]);
  failPoint("replay.ended");
  logger.info("replay of all retained events finished");
  return CHECK_EVERY_MS;
}

async function publishBatch(
  client: PoolClient,
  newestFirst: readonly RetainedRow[],
  replay: Replay,
  relay: RelayContext,
): Promise<number> {
  const { done, refused } = await publishAgain(newestFirst, relay, "newest first");
  failPoint("replay.published");
  const last = done.at(-1);
  const waitMs = refused === undefined ? msToConsume(done) : UNCONFIRMED_WAIT_MS;
  await client.query(SAVE_PROGRESS, [
    last?.published_at ?? replay.before_published_at,
    last?.id ?? replay.before_id,
    refused === undefined ? Math.min(BATCH_EVENTS_MAX, replay.batch_events * BATCH_GROWTH) : 1,
    waitMs,
  ]);
  failPoint("replay.progress-saved");
  return waitMs;
}

const CLAIM_NEW_REPLAY =
  "select from replay where begun_until is distinct from until for no key update skip locked";

const END_RESERVATIONS =
  "update outbox set attempts = attempts + 1, next_try_at = now() where attempts = 1 and parked_at is null";

// Starts at the greatest key, not at the current time, because clocks can be set back.
const START_AT_NEWEST = `
  update replay
     set begun_until = until, batch_events = ${BATCH_EVENTS_MAX}, not_before = '-infinity',
         before_published_at = coalesce((select max(published_at) from published_events), '-infinity'),
         before_id = 9223372036854775807`;

const TALLY_AGAIN_FROM_OLDEST = `
  update event_tally set tallied_until = least(tallied_until, now() - $1::integer * interval '1 day')`;

// Times are text, because a Date would lose the microseconds. A replica that is working on the replay has locked the row.
const CLAIM_REPLAY = `
  select before_published_at::text, before_id::text, batch_events
    from replay
   where begun_until is not distinct from until and not_before <= clock_timestamp()
     for no key update skip locked`;

const NEXT_EVENTS = selectRetained(
  "published_events.published_at >= now() - $4::integer * interval '1 day' and type <> all($5::text[])",
  "desc",
);

const SAVE_PROGRESS = `
  update replay
     set before_published_at = $1::timestamptz, before_id = $2::bigint, batch_events = $3,
         not_before = clock_timestamp() + $4 * interval '1 ms'`;
