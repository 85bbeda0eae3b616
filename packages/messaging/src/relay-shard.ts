// Shards of the outbox, once: claim their oldest rows, publish them, keep aside what the broker confirmed, set aside what
// it did not take. Called by the relay's loop.
import { inTransaction } from "@tradepost/postgres";
import type { Logger } from "@tradepost/runtime";
import { failPoint } from "@tradepost/runtime/fail-point";
import type { Pool, PoolClient } from "pg";
import type { Publisher, PublishOutcome } from "./publisher.ts";

// Larger batches drain faster and repeat more after a crash; past 500 the gain is small.
export const BATCH_ROWS_MAX = 500;
const RETRY_BASE_MS = 250;
const RETRY_MAX_MS = 60_000;

export interface ShardRelay {
  readonly pool: Pool;
  readonly publisher: Publisher;
  readonly exchange: string;
  readonly mustRoute: (type: string) => boolean;
  readonly logger: Logger;
}

/**
 * In: shards of the outbox, and what to work with. Out: how many events were published of each, those that another relay
 * holds left out. Throws the database's error, in which case nothing was deleted.
 */
export async function relayShards(shards: readonly number[], relay: ShardRelay): Promise<number[]> {
  const counts = await inTransaction(relay.pool, async (client) => {
    const ours = await lockShards(client, shards);
    if (ours.length === 0) return [];
    const { rows } = await client.query<OutboxRow & { shard: number }>({ ...CLAIM, values: [ours] });
    failPoint("relay.claimed");
    const outcomes = await publishInOrder(rows, relay);
    failPoint("relay.confirmed");
    await settle(client, outcomes, relay.logger);
    failPoint("relay.moved");
    const shardOf = new Map(rows.map((row) => [row.id, row.shard]));
    const published = outcomes.filter(({ outcome }) => outcome === "confirmed");
    return ours.map((shard) => published.filter(({ row }) => shardOf.get(row.id) === shard).length);
  });
  if (counts.some((count) => count > 0)) failPoint("relay.committed");
  return counts;
}

/** Until the transaction ends. Out: those that no other relay holds. */
export async function lockShards(client: PoolClient, shards: readonly number[]): Promise<number[]> {
  const { rows } = await client.query<{ shard: number }>({ ...LOCK_SHARDS, values: [shards] });
  return rows.map(({ shard }) => shard);
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

// Rows of an aggregate that has an older row waiting for its next try stay behind it.
const CLAIM = {
  name: "claim",
  text: `
  select claimed.*
    from unnest($1::smallint[]) as wanted (shard),
         lateral (
           select id, event_id, aggregate_id, type, tenant_id, occurred_at, request_id, traceparent,
                  actor::text as actor, data::text as data, shard
             from outbox
            where shard = wanted.shard and parked_at is null and next_try_at <= now()
              and not exists (select 1 from outbox older
                               where older.aggregate_id = outbox.aggregate_id and older.id < outbox.id
                                 and older.attempts > 0 and older.parked_at is null and older.next_try_at > now())
            order by id
            limit ${BATCH_ROWS_MAX}
              for update) as claimed`,
};

// Kept for a replay.
const MOVE_PUBLISHED = {
  name: "move-published",
  text: `
  with published as (
    delete from outbox where id = any($1::bigint[])
    returning id, event_id, aggregate_id, type, tenant_id, occurred_at, request_id, traceparent, actor, data
  )
  insert into published_events (id, event_id, aggregate_id, type, tenant_id, occurred_at, request_id, traceparent,
                                actor, data)
  select * from published`,
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

/** Aggregates go side by side; the events of one go one after the other and stop at the first that fails. */
export async function publishInOrder(rows: readonly OutboxRow[], relay: ShardRelay): Promise<RowOutcome[]> {
  const endsAt = performance.now() + BATCH_TIME_MAX_MS;
  const aggregates = Map.groupBy(rows, (row) => row.aggregate_id);
  const outcomes = await Promise.all(
    [...aggregates.values()].map(async (events) => {
      const done: RowOutcome[] = [];
      for (const row of events) {
        const outcome = await relay.publisher.publish(
          messageOf(row, relay.exchange, relay.mustRoute(row.type)),
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

function messageOf(row: OutboxRow, exchange: string, mandatory: boolean) {
  const envelope = JSON.stringify({
    id: row.event_id,
    type: row.type,
    tenant_id: row.tenant_id,
    occurred_at: row.occurred_at.toISOString(),
    request_id: row.request_id,
  });
  return {
    exchange,
    routingKey: row.type,
    messageId: row.event_id,
    type: row.type,
    headers: { tenant_id: row.tenant_id, traceparent: row.traceparent },
    mandatory,
    // The stored JSON goes out as it is: parsing it only to write it again would cost time and digits.
    content: Buffer.from(`${envelope.slice(0, -1)},"actor":${row.actor},"data":${row.data}}`),
  };
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
