// Publishes events again that the broker may have lost. The relay keeps what was confirmed for some days; of a broker that
// was wiped, or a queue that was deleted, nobody can say what was consumed: so all of it goes out again. Whoever consumes
// dedupes by event id.
//
// Two things tell of a loss. A relay that does not find its own queue knows that the broker is another. A consumer that
// does not find the queue it takes events from asks for a replay, through the exchange `platform.replay`. Either is noted
// in the table `replay`, and only there: whoever dies, another goes on.
//
// A replay runs while new events are published, at a pace that leaves consumers time for those, and from the newest event
// down: what was lost is mostly recent. Replayed messages have the header `replayed`. The events of one aggregate keep their
// order within a batch, and not from batch to batch: only first publications are in the order of the commits.
//
// Why no event is missed. Let E be an event that was confirmed, and then lost by the broker or never routed to a queue that
// was not bound yet.
//  1. Some replay is noted after E's confirm, and after the queue that wants E is bound. The consumer asks after it has
//     bound its queue. If a relay's queue is bound by then, the relay notes the request. If not, the relay binds its queue
//     later, and then notes a replay by itself. Either is repeated until a marker says that it was done (`declare-once.ts`).
//  2. When that replay begins, E is in `published_events` or still in the outbox. E's relay publishes it under the lock of
//     its shard, and moves it before the lock is released. The beginning takes every shard's lock after the note, and with
//     it waits for the end of each transaction that had a confirm before. This once is enough: what is published after the
//     beginning needs no replay. A relay begins a replay before it publishes more, so little is sent twice without need.
//  3. The replay visits all that is then in `published_events`: it starts at the greatest (published_at, id), goes down by
//     that key, which never changes, and steps over an event only once the broker has confirmed it. It ends where nothing
//     is below.
//  4. A note during a replay makes it begin anew, so 2 and 3 hold for that note as well.
import { inTransaction } from "@tradepost/postgres";
import { type Repetition, repeat } from "@tradepost/runtime";
import { failPoint } from "@tradepost/runtime/fail-point";
import type { PoolClient } from "pg";
import {
  BATCH_BYTES_MAX,
  lockAllShards,
  type OutboxRow,
  publishInOrder,
  type ShardRelay,
} from "./relay-shard.ts";

// Small, so that a new event never queues behind many. The pace is for all replicas together: fan-out drops several times as
// many events that it has, also where two services replay into the same queue (see `replay-traffic.test.ts`).
const BATCH_EVENTS_MAX = 100;
const EVENTS_PER_SECOND = 400;
const BYTES_PER_SECOND = BATCH_BYTES_MAX;
// After a batch that the broker did not take as a whole: what it took is sent again, so the next is a single event.
const HELD_UP_WAIT_MS = 1_000;
const BATCH_GROWTH = 4;
const LOOK_EVERY_MS = 1_000;
const HOLD_BACK_MS = 100;

/**
 * Works at the replay that is noted, if any, until stopped. `isWanted`: whether one may be noted and the broker is up.
 * `isHeldBack`: whether new events wait that go first.
 */
export function startReplaying(
  relay: ShardRelay,
  { isWanted, isHeldBack }: { isWanted: () => boolean; isHeldBack: () => boolean },
): Repetition {
  return repeat(async () => {
    if (!isWanted()) return LOOK_EVERY_MS;
    if (isHeldBack()) return HOLD_BACK_MS;
    try {
      return await replayBatch(relay);
    } catch (error) {
      relay.logger.warn({ err: error }, "the replay was interrupted; trying again");
      return LOOK_EVERY_MS;
    }
  });
}

/** Begins the replay that is noted, unless it has begun already. Waits for the batches that relays have in hand. */
export async function beginReplay({ pool, logger }: ShardRelay): Promise<void> {
  await inTransaction(pool, async (client) => {
    const { rowCount } = await client.query(TAKE_NOTE);
    if (rowCount === 0) return;
    // Nobody is between a confirm and its commit then.
    await lockAllShards(client);
    failPoint("replay.locked");
    await client.query(START_AT_NEWEST);
    failPoint("replay.begun");
    logger.info("publishing all kept events again");
  });
}

const TAKE_NOTE = "select from replay where begun_until is distinct from until for no key update skip locked";

// The greatest key rather than the present time: clocks can be set back.
const START_AT_NEWEST = `
  update replay
     set begun_until = until, batch_events = ${BATCH_EVENTS_MAX}, not_before = '-infinity',
         before_published_at = coalesce((select max(published_at) from published_events), '-infinity'),
         before_id = 9223372036854775807`;

interface Replay {
  readonly before_published_at: string;
  readonly before_id: string;
  readonly batch_events: number;
}

// Text keeps the microseconds that a Date would lose. Another replica that works at it skips it.
const TAKE_REPLAY = `
  select before_published_at::text, before_id::text, batch_events
    from replay
   where begun_until is not distinct from until and not_before <= clock_timestamp()
     for no key update skip locked`;

/** One step of the replay. Out: how many ms to wait before the next. */
async function replayBatch(relay: ShardRelay): Promise<number> {
  const waitMs = await inTransaction(relay.pool, async (client) => {
    const { rows } = await client.query<Replay>(TAKE_REPLAY);
    failPoint("replay.taken");
    const [replay] = rows;
    if (replay === undefined) return HOLD_BACK_MS;
    const events = await readBatch(client, replay);
    failPoint("replay.read");
    if (events.length === 0) return await end(client, relay);
    return await publishBatch(client, events, replay, relay);
  });
  failPoint("replay.committed");
  return waitMs;
}

async function end(client: PoolClient, { logger }: ShardRelay): Promise<number> {
  await client.query("delete from replay");
  failPoint("replay.ended");
  logger.info("all kept events published again");
  return LOOK_EVERY_MS;
}

type PublishedRow = OutboxRow & { readonly published_at: string; readonly size_bytes: number };

// `data` is read only of what is returned, except to measure what was published before sizes were kept.
const NEXT_EVENTS = {
  name: "replay-next",
  text: `
  select id, event_id, aggregate_id, type, tenant_id, occurred_at, request_id, traceparent,
         actor::text as actor, data::text as data, published_at::text as published_at, size_bytes
    from (select sized.*, sum(size_bytes) over newest_first as bytes_so_far,
                 row_number() over newest_first as position
            from (select id, event_id, aggregate_id, type, tenant_id, occurred_at, request_id, traceparent, actor, data,
                         published_at, coalesce(size_bytes, octet_length(data::text)) as size_bytes
                    from published_events
                   where (published_events.published_at, id) < ($1::timestamptz, $2::bigint)
                   order by published_events.published_at desc, id desc
                   limit $3) as sized
          window newest_first as (order by sized.published_at desc, id desc rows unbounded preceding)) as measured
   where bytes_so_far <= ${BATCH_BYTES_MAX} or position = 1
   order by measured.published_at desc, id desc`,
};

/** The newest events that are left, newest first. */
async function readBatch(client: PoolClient, replay: Replay): Promise<PublishedRow[]> {
  const { rows } = await client.query<PublishedRow>({
    ...NEXT_EVENTS,
    values: [replay.before_published_at, replay.before_id, replay.batch_events],
  });
  return rows;
}

async function publishBatch(
  client: PoolClient,
  newestFirst: readonly PublishedRow[],
  replay: Replay,
  relay: ShardRelay,
): Promise<number> {
  const published = await publishInOrder(newestFirst.toReversed(), relay, { replayed: true });
  failPoint("replay.published");
  const outcomes = new Map(published.map(({ row, outcome }) => [row.id, outcome] as const));
  const firstLeft = newestFirst.findIndex(({ id }) => {
    const outcome = outcomes.get(id);
    return outcome !== "confirmed" && outcome !== "unencodable";
  });
  const isHeldUp = firstLeft !== -1;
  const done = isHeldUp ? newestFirst.slice(0, firstLeft) : newestFirst;
  const last = done.at(-1);
  const waitMs = isHeldUp ? HELD_UP_WAIT_MS : paceOf(done);
  await client.query(NOTE_PROGRESS, [
    last?.published_at ?? replay.before_published_at,
    last?.id ?? replay.before_id,
    isHeldUp ? 1 : Math.min(BATCH_EVENTS_MAX, replay.batch_events * BATCH_GROWTH),
    waitMs,
  ]);
  failPoint("replay.noted");
  return waitMs;
}

const NOTE_PROGRESS = `
  update replay
     set before_published_at = $1::timestamptz, before_id = $2::bigint, batch_events = $3,
         not_before = clock_timestamp() + $4 * interval '1 ms'`;

/** How long consumers are given for a batch, in ms. */
function paceOf(events: readonly PublishedRow[]): number {
  const bytes = events.reduce((sum, { size_bytes }) => sum + size_bytes, 0);
  return 1_000 * Math.max(events.length / EVENTS_PER_SECOND, bytes / BYTES_PER_SECOND);
}
