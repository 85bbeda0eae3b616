// Shards of the outbox, once: claim their oldest rows, publish them, keep aside what the broker confirmed, set aside what
// it did not take. Called by the relay's loop.
import { inTransaction } from "@tradepost/postgres";
import type { Logger } from "@tradepost/runtime";
import { failPoint } from "@tradepost/runtime/fail-point";
import type { Pool, PoolClient } from "pg";
import type { OutgoingMessage, Publisher, PublishOutcome } from "./publisher.ts";

// Larger batches drain faster and repeat more after a crash; past 500 the gain is small.
const BATCH_ROWS_MAX = 500;
/** Each byte of a batch is in memory about five times: as it was received, as text, as a message, and on its way out. */
export const BATCH_BYTES_MAX = 8 * 1024 * 1024;
/** Must equal the modulus of the outbox table's generated column `shard`. */
export const SHARD_COUNT = 4;
// All shards may be in hand at once.
const SHARD_BYTES_MAX = BATCH_BYTES_MAX / SHARD_COUNT;
const RETRY_BASE_MS = 250;
const RETRY_MAX_MS = 60_000;

export interface ShardRelay {
  readonly pool: Pool;
  readonly publisher: Publisher;
  readonly exchange: string;
  readonly mustRoute: (type: string) => boolean;
  readonly logger: Logger;
}

export interface Relayed {
  readonly publishedCount: number;
  /** Whether the shard holds more than fits into a batch, and the broker took all of this one. */
  readonly hasMore: boolean;
}

/**
 * In: shards of the outbox, and what to work with. Out: what was published of each, those that another relay
 * holds left out. Throws the database's error, in which case nothing was deleted.
 */
export async function relayShards(shards: readonly number[], relay: ShardRelay): Promise<Relayed[]> {
  const relayed = await inTransaction(relay.pool, async (client) => {
    const ours = await lockShards(client, shards);
    failPoint("relay.locked");
    if (ours.length === 0) return [];
    const { rows } = await client.query<ClaimedRow>({ ...CLAIM, values: [ours] });
    failPoint("relay.claimed");
    const outcomes = await publishInOrder(rows, relay);
    failPoint("relay.confirmed");
    await settle(client, outcomes, relay.logger);
    failPoint("relay.moved");
    const confirmed = new Set(
      outcomes.filter(({ outcome }) => outcome === "confirmed").map(({ row }) => row.id),
    );
    const byShard = Map.groupBy(rows, ({ shard }) => shard);
    return ours.map((shard) => countUp(byShard.get(shard) ?? [], confirmed));
  });
  if (relayed.some(({ publishedCount }) => publishedCount > 0)) failPoint("relay.committed");
  return relayed;
}

type ClaimedRow = OutboxRow & { readonly shard: number; readonly found_count: string };

function countUp(claimed: readonly ClaimedRow[], confirmed: ReadonlySet<string>): Relayed {
  const publishedCount = claimed.filter(({ id }) => confirmed.has(id)).length;
  const foundCount = Number(claimed[0]?.found_count ?? 0);
  const isCut = claimed.length < foundCount || foundCount >= BATCH_ROWS_MAX;
  return { publishedCount, hasMore: isCut && publishedCount === claimed.length };
}

/** Until the transaction ends. Out: those that no other relay holds. */
async function lockShards(client: PoolClient, shards: readonly number[]): Promise<number[]> {
  const { rows } = await client.query<{ shard: number }>({ ...LOCK_SHARDS, values: [shards] });
  return rows.map(({ shard }) => shard);
}

/** Until the transaction ends; waits for the relays that hold one. */
export async function lockAllShards(client: PoolClient): Promise<void> {
  await client.query(
    `select pg_advisory_xact_lock(hashtext('tradepost.outbox'), shard)
       from generate_series(0, ${SHARD_COUNT - 1}) as shard`,
  );
}

export interface OutboxRow {
  id: string;
  event_id: string;
  aggregate_id: string;
  type: string;
  tenant_id: string;
  occurred_at: Date;
  request_id: string;
  traceparent: string;
  actor: string;
  data: string;
}

// A statement of its own: what the claim sees must be no older than the lock, or it could miss that the relay before
// it has just set an event back, and let the aggregate's next one overtake.
const LOCK_SHARDS = {
  name: "lock-shards",
  text: `
  select shard from unnest($1::smallint[]) as shard
   where pg_try_advisory_xact_lock(hashtext('tradepost.outbox'), shard)`,
};

// Rows of an aggregate that has an older row waiting for its next try stay behind it. Of the rows found, as many are
// claimed as fit into a batch, and always the first. `data` is read only of those: until then it is a pointer.
const CLAIM = {
  name: "claim",
  text: `
  select claimed.*
    from unnest($1::smallint[]) as wanted (shard),
         lateral (
           select id, event_id, aggregate_id, type, tenant_id, occurred_at, request_id, traceparent,
                  actor::text as actor, data::text as data, shard, found_count
             from (select found.*, sum(size_bytes) over (order by id rows unbounded preceding) as bytes_so_far,
                          count(*) over () as found_count
                     from (select *
                             from outbox
                            where shard = wanted.shard and parked_at is null and next_try_at <= now()
                              and not exists (select 1 from outbox older
                                               where older.aggregate_id = outbox.aggregate_id and older.id < outbox.id
                                                 and older.attempts > 0 and older.parked_at is null
                                                 and older.next_try_at > now())
                            order by id
                            limit ${BATCH_ROWS_MAX}
                              for update) as found) as measured
            where bytes_so_far <= ${SHARD_BYTES_MAX} or bytes_so_far = size_bytes
            order by id) as claimed`,
};

// Kept for a replay.
const MOVE_PUBLISHED = {
  name: "move-published",
  text: `
  with published as (
    delete from outbox where id = any($1::bigint[])
    returning id, event_id, aggregate_id, type, tenant_id, occurred_at, request_id, traceparent, actor, data, size_bytes
  )
  insert into published_events (id, event_id, aggregate_id, type, tenant_id, occurred_at, request_id, traceparent,
                                actor, data, size_bytes, published_at)
  select *, (select clock_timestamp()) from published`,
};

const TRY_LATER = `
  update outbox
     set attempts = attempts + 1, last_error = $2,
         next_try_at = now() + least(${RETRY_MAX_MS}, ${RETRY_BASE_MS} * 2 ^ least(attempts, 16)) * interval '1 ms'
   where id = any($1::bigint[])`;

const PARK =
  "update outbox set attempts = attempts + 1, last_error = $2, parked_at = now() where id = any($1::bigint[])";

interface RowOutcome {
  readonly row: OutboxRow;
  readonly outcome: PublishOutcome;
}

// A batch of one aggregate's events waits for one confirm after the other; with a slow broker it must end well before
// the database ends the idle transaction, or its deletes would never be committed.
const BATCH_TIME_MAX_MS = 10_000;

/**
 * Aggregates go side by side; the events of one go one after the other and stop at the first that fails. `headers` go with
 * every message.
 */
export async function publishInOrder(
  rows: readonly OutboxRow[],
  relay: ShardRelay,
  headers: OutgoingMessage["headers"] = {},
): Promise<RowOutcome[]> {
  const endsAt = performance.now() + BATCH_TIME_MAX_MS;
  const aggregates = Map.groupBy(rows, (row) => row.aggregate_id);
  const outcomes = await Promise.all(
    [...aggregates.values()].map(async (events) => {
      const done: RowOutcome[] = [];
      for (const row of events) {
        const outcome = await relay.publisher.publish(
          messageOf(row, { exchange: relay.exchange, mandatory: relay.mustRoute(row.type), headers }),
        );
        failPoint("relay.published");
        done.push({ row, outcome });
        const mayGoOn = outcome === "confirmed" || outcome === "unencodable";
        if (!mayGoOn || performance.now() > endsAt) break;
      }
      return done;
    }),
  );
  return outcomes.flat();
}

function messageOf(
  row: OutboxRow,
  given: Pick<OutgoingMessage, "exchange" | "mandatory" | "headers">,
): OutgoingMessage {
  return {
    exchange: given.exchange,
    routingKey: row.type,
    messageId: row.event_id,
    type: row.type,
    headers: { tenant_id: row.tenant_id, traceparent: row.traceparent, ...given.headers },
    mandatory: given.mandatory,
    content: bodyOf(row),
  };
}

/** The stored JSON goes out as it is: parsing it only to write it again would cost time and digits. */
function bodyOf(row: OutboxRow): Buffer {
  const envelope = JSON.stringify({
    id: row.event_id,
    type: row.type,
    tenant_id: row.tenant_id,
    occurred_at: row.occurred_at.toISOString(),
    request_id: row.request_id,
  });
  const head = `${envelope.slice(0, -1)},"actor":${row.actor},"data":`;
  // Written in place: as one text, large data would be copied once more.
  const headBytes = Buffer.byteLength(head);
  const body = Buffer.allocUnsafe(headBytes + Buffer.byteLength(row.data) + 1);
  body.write(head);
  body.write(row.data, headBytes);
  body.write("}", body.length - 1);
  return body;
}

async function settle(client: PoolClient, outcomes: RowOutcome[], logger: Logger): Promise<void> {
  const idsBy = Map.groupBy(outcomes, ({ outcome }) => outcome);
  const ids = (outcome: PublishOutcome) => (idsBy.get(outcome) ?? []).map(({ row }) => row.id);
  if (ids("confirmed").length > 0) await client.query({ ...MOVE_PUBLISHED, values: [ids("confirmed")] });
  for (const outcome of ["unroutable", "refused"] as const) {
    if (ids(outcome).length === 0) continue;
    logger.warn(
      { outcome, count: ids(outcome).length },
      "events not taken by the broker; trying again later",
    );
    await client.query(TRY_LATER, [ids(outcome), outcome]);
  }
  if (ids("unencodable").length > 0) {
    logger.error({ eventIds: idsBy.get("unencodable")?.map(({ row }) => row.event_id) }, "events parked");
    await client.query(PARK, [ids("unencodable"), "no broker would take it"]);
  }
}
