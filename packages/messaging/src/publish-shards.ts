// Publishes the oldest rows of the outbox's shards: claims them, publishes them, and records each outcome in the same
// transaction. Called by the loop in `relay.ts`.
import { inTransaction } from "@tradepost/postgres";
import type { Logger } from "@tradepost/runtime";
import { failPoint } from "@tradepost/runtime/fail-point";
import type { PoolClient } from "pg";
import { type OutboxRow, publishInOrder, type RelayContext, type RowOutcome } from "./publish-in-order.ts";
import type { PublishOutcome } from "./publisher.ts";

// Larger batches drain a backlog faster and republish more after a crash; above 500 the gain is small.
const BATCH_ROWS_MAX = 500;
/** A batch is in memory about five times: as received, as text, as messages, and in the buffers of the socket. */
export const BATCH_BYTES_MAX = 8 * 1024 * 1024;
/** Must equal the modulus of the generated column `shard` of the outbox. */
export const SHARD_COUNT = 4;
// All shards may have a batch in flight at the same time.
const SHARD_BYTES_MAX = BATCH_BYTES_MAX / SHARD_COUNT;
const RETRY_BASE_MS = 250;
const RETRY_MAX_MS = 60_000;

export interface ShardResult {
  readonly publishedCount: number;
  /** Whether the shard has more rows than fit into a batch, and the broker confirmed all of this one. */
  readonly hasMore: boolean;
}

/**
 * Publishes one batch of each shard, and returns a result for each. Shards that another relay has locked are left out.
 *
 * @throws the database's error, in which case no row was moved and confirmed events will be published again.
 */
export async function publishShards(shards: readonly number[], relay: RelayContext): Promise<ShardResult[]> {
  const results = await inTransaction(relay.pool, async (client) => {
    const locked = await lockShards(client, shards);
    failPoint("relay.locked");
    if (locked.length === 0) return [];
    const { rows } = await client.query<ClaimedRow>(CLAIM, [locked]);
    failPoint("relay.claimed");
    const outcomes = await publishInOrder(rows, relay);
    failPoint("relay.confirmed");
    await recordOutcomes(client, outcomes, relay.logger);
    failPoint("relay.moved");
    const confirmed = new Set(
      outcomes.filter(({ outcome }) => outcome === "confirmed").map(({ row }) => row.id),
    );
    const byShard = Map.groupBy(rows, ({ shard }) => shard);
    return locked.map((shard) => resultOf(byShard.get(shard) ?? [], confirmed));
  });
  if (results.some(({ publishedCount }) => publishedCount > 0)) failPoint("relay.committed");
  return results;
}

type ClaimedRow = OutboxRow & { readonly shard: number; readonly found_count: string };

function resultOf(claimed: readonly ClaimedRow[], confirmed: ReadonlySet<string>): ShardResult {
  const publishedCount = claimed.filter(({ id }) => confirmed.has(id)).length;
  const foundCount = Number(claimed[0]?.found_count ?? 0);
  const isPartial = claimed.length < foundCount || foundCount >= BATCH_ROWS_MAX;
  return { publishedCount, hasMore: isPartial && publishedCount === claimed.length };
}

/** Locks the shards that no other relay has locked, until the transaction ends, and returns them. */
async function lockShards(client: PoolClient, shards: readonly number[]): Promise<number[]> {
  const { rows } = await client.query<{ shard: number }>(LOCK_SHARDS, [shards]);
  return rows.map(({ shard }) => shard);
}

/** Locks all shards until the transaction ends. Waits for the relays that have locked one. */
export async function lockAllShards(client: PoolClient): Promise<void> {
  await client.query(
    `select pg_advisory_xact_lock(hashtext('tradepost.outbox'), shard)
       from generate_series(0, ${SHARD_COUNT - 1}) as shard`,
  );
}

async function recordOutcomes(client: PoolClient, outcomes: RowOutcome[], logger: Logger): Promise<void> {
  const byOutcome = Map.groupBy(outcomes, ({ outcome }) => outcome);
  const idsOf = (outcome: PublishOutcome) => (byOutcome.get(outcome) ?? []).map(({ row }) => row.id);
  const confirmedIds = idsOf("confirmed");
  if (confirmedIds.length > 0) await client.query(MOVE_PUBLISHED, [confirmedIds]);
  for (const outcome of ["unroutable", "refused"] as const) {
    const ids = idsOf(outcome);
    if (ids.length === 0) continue;
    logger.warn({ outcome, count: ids.length }, "the broker did not accept events; retrying later");
    await client.query(RETRY_LATER, [ids, outcome]);
  }
  const unencodable = byOutcome.get("unencodable") ?? [];
  if (unencodable.length > 0) {
    logger.error({ eventIds: unencodable.map(({ row }) => row.event_id) }, "events parked");
    await client.query(PARK, [unencodable.map(({ row }) => row.id), "the message cannot be encoded"]);
  }
}

// A separate statement, so that the claim's snapshot is not older than the lock. Otherwise it could miss that the previous
// relay has just postponed an event, and let the next event of the aggregate overtake it.
const LOCK_SHARDS = `
  select shard from unnest($1::smallint[]) as shard
   where pg_try_advisory_xact_lock(hashtext('tradepost.outbox'), shard)`;

// The order by shard and a range of one shard leave only the index `outbox_pending`. With `shard = …` the order would be by id only,
// and a plan made on an empty outbox could read all shards by the primary key.
// Rows of an aggregate with an older row that waits for its retry are left out. Of the rows found, as many are claimed as fit
// into the batch's bytes, and at least one. `data` is read only from claimed rows: until then it is a pointer (TOAST).
const CLAIM = `
  select id, event_id, aggregate_id, type, tenant_id, occurred_at, request_id, traceparent, actor, data,
         claimed.shard, found_count
    from unnest($1::smallint[]) as wanted (shard),
         lateral (
           select id, event_id, aggregate_id, type, tenant_id, occurred_at, request_id, traceparent,
                  actor::text as actor, data::text as data, shard, found_count
             from (select found.*, sum(size_bytes) over (order by id rows unbounded preceding) as bytes_so_far,
                          count(*) over () as found_count
                     from (select *
                             from outbox
                            where shard >= wanted.shard and shard <= wanted.shard
                              and parked_at is null and next_try_at <= now()
                              and not exists (select 1 from outbox older
                                               where older.aggregate_id = outbox.aggregate_id and older.id < outbox.id
                                                 and older.attempts > 0 and older.parked_at is null
                                                 and older.next_try_at > now())
                            order by shard, id
                            limit ${BATCH_ROWS_MAX}
                              for update) as found) as measured
            where bytes_so_far <= ${SHARD_BYTES_MAX} or bytes_so_far = size_bytes
            order by id) as claimed`;

const MOVE_PUBLISHED = `
  with published as (
    delete from outbox where id = any($1::bigint[])
    returning id, event_id, aggregate_id, type, tenant_id, occurred_at, request_id, traceparent, actor, data, size_bytes
  )
  insert into published_events (id, event_id, aggregate_id, type, tenant_id, occurred_at, request_id, traceparent,
                                actor, data, size_bytes, published_at)
  select *, (select clock_timestamp()) from published`;

const RETRY_LATER = `
  update outbox
     set attempts = attempts + 1, last_error = $2,
         next_try_at = now() + least(${RETRY_MAX_MS}, ${RETRY_BASE_MS} * 2 ^ least(attempts, 16)) * interval '1 ms'
   where id = any($1::bigint[])`;

const PARK =
  "update outbox set attempts = attempts + 1, last_error = $2, parked_at = now() where id = any($1::bigint[])";
