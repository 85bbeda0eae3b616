// Publishes the oldest rows of the outbox's shards: claims them, publishes them, and records each outcome in the same transaction,
// with two round trips to the database.
import { queryTogether, type Statement, withClient } from "@tradepost/postgres";
import { type Logger, traceIdOf } from "@tradepost/runtime";
import { failPoint } from "@tradepost/runtime/fail-point";
import type { PoolClient } from "pg";
import {
  type OutboxRow,
  publishInOrder,
  type RelayContext,
  ROW_COLUMNS,
  type RowOutcome,
} from "./publish-in-order.ts";
import type { PublishOutcome } from "./publisher.ts";

// Larger batches drain a backlog faster, but republish more events after a crash; above 500 the gain is small.
const BATCH_ROWS_MAX = 500;
/** A batch is in memory about five times: as received, as text, as messages, and in the buffers of the socket. */
export const BATCH_BYTES_MAX = 8 * 1024 * 1024;
/** The modulus of the generated column `shard` of the outbox. */
export const SHARD_COUNT = 4;
// All shards may have a batch in flight at the same time.
const SHARD_BYTES_MAX = BATCH_BYTES_MAX / SHARD_COUNT;
const RETRY_BASE_MS = 250;
const RETRY_MAX_MS = 60_000;

export interface Published {
  readonly publishedCount: number;
  /** Whether events did not fit into the batch or into its time limit. */
  readonly hasMore: boolean;
  /** Whether events wait for a retry, or another relay has locked their shard. */
  readonly hasWaiting: boolean;
}

export interface ShardsContext extends RelayContext {
  readonly replicated: () => Promise<void>;
}

/**
 * Publishes one batch from those of `shards` that have events and that no other relay has locked.
 *
 * @throws the database's error, in which case no row was moved and confirmed events will be published again.
 */
export async function publishShards(shards: readonly number[], relay: ShardsContext): Promise<Published> {
  return await withClient(relay.pool, async (client) => {
    const claim = await claimEvents(client, shards);
    if (claim.rows.length > 0) {
      failPoint("relay.claimed");
      // This waits for a commit on another connection, because a write in this transaction would give the transaction an id (see CLAIM).
      await relay.replicated();
    }
    const outcomes = await publishInOrder(claim.rows, relay);
    if (outcomes.length > 0) failPoint("relay.confirmed");
    await queryTogether(client, [...recordsOf(outcomes, relay.logger), COMMIT]);
    if (outcomes.some(({ outcome }) => outcome === "confirmed")) failPoint("relay.committed");
    return summaryOf(claim, outcomes);
  });
}

type ClaimedRow = OutboxRow & { readonly shard: number; readonly found_count: string };

interface Claim {
  readonly rows: readonly ClaimedRow[];
  readonly locked: readonly number[];
  /** Other relays have locked these. */
  readonly busy: readonly number[];
}

/** Takes one round trip. */
async function claimEvents(client: PoolClient, shards: readonly number[]): Promise<Claim> {
  const results = await queryTogether(client, [
    BEGIN,
    { text: LOCK_SHARDS, values: [shards] },
    { text: CLAIM },
  ]);
  const [, [locks], rows] = results.map((result) => result.rows) as [
    unknown[],
    [Pick<Claim, "locked" | "busy">],
    ClaimedRow[],
  ];
  return { ...locks, rows };
}

function summaryOf({ rows, locked, busy }: Claim, outcomes: readonly RowOutcome[]): Published {
  const sent = new Map(outcomes.map(({ row, outcome }) => [row.id, outcome]));
  const byShard = Map.groupBy(rows, ({ shard }) => shard);
  const states = locked.map((shard) => stateOf(byShard.get(shard) ?? [], sent));
  return {
    publishedCount: outcomes.filter(({ outcome }) => outcome === "confirmed").length,
    hasMore: states.includes("more"),
    hasWaiting: busy.length > 0 || states.includes("waiting"),
  };
}

function stateOf(
  claimed: readonly ClaimedRow[],
  sent: ReadonlyMap<string, PublishOutcome>,
): "more" | "waiting" | "empty" {
  const foundCount = Number(claimed[0]?.found_count ?? 0);
  const outcomes = claimed.map(({ id }) => sent.get(id));
  const isRefused = (outcome: PublishOutcome | undefined) =>
    outcome !== undefined && outcome !== "confirmed" && outcome !== "unencodable";
  // A locked shard has events. If none of them is due, they wait for a retry.
  if (foundCount === 0 || outcomes.some(isRefused)) return "waiting";
  const isPartial = claimed.length < foundCount || foundCount >= BATCH_ROWS_MAX;
  return isPartial || outcomes.includes(undefined) ? "more" : "empty";
}

/** Waits for the relays that have locked a shard. */
export async function lockAllShards(client: PoolClient): Promise<void> {
  await client.query(
    `select pg_advisory_xact_lock(hashtext('tradepost.outbox'), shard)
       from generate_series(0, ${SHARD_COUNT - 1}) as shard`,
  );
}

function recordsOf(outcomes: readonly RowOutcome[], logger: Logger): Statement[] {
  const byOutcome = Map.groupBy(outcomes, ({ outcome }) => outcome);
  const idsOf = (outcome: PublishOutcome) => (byOutcome.get(outcome) ?? []).map(({ row }) => row.id);
  const records: Statement[] = [];
  const confirmedIds = idsOf("confirmed");
  if (confirmedIds.length > 0) records.push({ text: MOVE_PUBLISHED, values: [confirmedIds, false] });
  for (const outcome of ["unroutable", "refused"] as const) {
    const ids = idsOf(outcome);
    if (ids.length === 0) continue;
    logger.warn({ outcome, count: ids.length }, "the broker did not accept events; retrying later");
    records.push({ text: RETRY_LATER, values: [ids, outcome] });
  }
  const unencodable = byOutcome.get("unencodable") ?? [];
  if (unencodable.length > 0) {
    const parked = unencodable.map(({ row }) => ({
      eventId: row.event_id,
      traceId: traceIdOf(row.traceparent),
    }));
    logger.error({ events: parked }, "events parked");
    records.push({
      text: PARK,
      values: [unencodable.map(({ row }) => row.id), "the message cannot be encoded"],
    });
  }
  return records;
}

const BEGIN = { text: "begin" };
const COMMIT = { text: "commit" };

// A statement of its own, so that the claim's snapshot is taken after the lock. Otherwise the claim could miss that the previous
// relay has just postponed an event, and let the aggregate's next event overtake it.
//
// The claim is sent before the result of the lock is known, so the lock stores the locked shards in a setting of the transaction.
// The scalar subquery is always an index scan; with `exists` the planner could choose a join that reads the whole index.
const LOCK_SHARDS = `
  select locked, busy, set_config('tradepost.locked_shards', locked::text, true)
    from (select coalesce(array_agg(shard) filter (where is_locked), '{}') as locked,
                 coalesce(array_agg(shard) filter (where not is_locked), '{}') as busy
            from (select shard, pg_try_advisory_xact_lock(hashtext('tradepost.outbox'), shard) as is_locked
                    from unnest($1::smallint[]) as shard
                   where (select true from outbox where outbox.shard = shard.shard and parked_at is null limit 1)
                 ) as wanted) as result`;

// Skips rows whose aggregate has an older row that waits for its retry. Claims as many of the found rows as fit into the batch's
// bytes, and at least one. `data` is read only from claimed rows: until then it is a pointer (TOAST). A row that was never tried is
// due whatever its `next_try_at`: that is the start of the transaction that wrote it, which may be later than the start of this
// one.
//
// The rows are not locked: only the holder of the shard's lock changes them. A row lock would give the transaction an id, and while
// the transaction waits for the broker, the change feed would hide all later events.
//
// With the order by shard and a range of one shard, only the index `outbox_pending` fits. With `shard = …` the order would be by id
// only, and a plan made on an empty outbox could read all shards by the primary key.
const CLAIM = `
  select ${ROW_COLUMNS}, actor, data, claimed.shard, found_count
    from unnest(current_setting('tradepost.locked_shards')::smallint[]) as wanted (shard),
         lateral (
           select ${ROW_COLUMNS}, actor::text as actor, data::text as data, shard, found_count
             from (select found.*, sum(size_bytes) over (order by id rows unbounded preceding) as bytes_so_far,
                          count(*) over () as found_count
                     from (select *
                             from outbox
                            where shard >= wanted.shard and shard <= wanted.shard
                              and parked_at is null and (attempts = 0 or next_try_at <= now())
                              and not exists (select 1 from outbox older
                                               where older.aggregate_id = outbox.aggregate_id and older.id < outbox.id
                                                 and older.attempts > 0 and older.parked_at is null
                                                 and older.next_try_at > now())
                            order by shard, id
                            limit ${BATCH_ROWS_MAX}) as found) as measured
            where bytes_so_far <= ${SHARD_BYTES_MAX} or bytes_so_far = size_bytes
            order by id) as claimed`;

const MOVED_COLUMNS = `${ROW_COLUMNS}, actor, data, size_bytes, xid`;

// Publication times increase even if the database's clock is set back: each is later than the latest one and not before the end of the
// tallies. Otherwise a reader of the feed, a tally or a replay that has passed that time would miss the event. Times more than a day ahead
// are ignored: they come from a clock that was ahead, and all events would get such a time until it is reached. With the two bounds
// Postgres looks at three partitions.
//
// With `$2`, rows that are no longer reserved (`first-events.ts`) are skipped: a relay or a replay has taken them over.
export const MOVE_PUBLISHED = `
  with published as (
    delete from outbox where id = any($1::bigint[]) and (attempts = 1 or not $2::boolean)
    returning ${MOVED_COLUMNS}, shard
  ), latest as (
    select greatest(
             (select tallied_until from event_tally where tallied_until < now() + interval '1 day'),
             (select published_at from published_events
               where published_at > now() - interval '1 day' and published_at < now() + interval '1 day'
               order by published_at desc limit 1)) as published_at
  ), time as (
    select greatest(clock_timestamp(), published_at + interval '1 microsecond') as published_at from latest
  ), counted as (
    insert into event_bytes as counted (tenant_id, day, shard, bytes)
    select tenant_id, (published_at at time zone 'utc')::date, shard, sum(size_bytes)
      from published, time group by 1, 2, 3 order by 1, 2, 3
    on conflict (tenant_id, day, shard) do update set bytes = counted.bytes + excluded.bytes
  )
  insert into published_events (${MOVED_COLUMNS}, published_at)
  select ${MOVED_COLUMNS}, published_at from published, time`;

const RETRY_LATER = `
  update outbox
     set attempts = attempts + 1, last_error = $2,
         next_try_at = now() + least(${RETRY_MAX_MS}, ${RETRY_BASE_MS} * 2 ^ least(attempts, 16)) * interval '1 ms'
   where id = any($1::bigint[])`;

const PARK =
  "update outbox set attempts = attempts + 1, last_error = $2, parked_at = now() where id = any($1::bigint[])";
