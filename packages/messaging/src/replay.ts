// Publishes events again that the broker may have lost. The relay keeps what was confirmed for some days; of a broker that
// was wiped, or a queue that was deleted, nobody can say what was consumed: so all of it goes out again, in the order of
// its first publishing and before anything new. Whoever consumes dedupes by event id.
//
// Two things tell of a loss. A relay that does not find its own queue knows that the broker is another. A consumer that
// does not find the queue it takes events from asks for a replay, through the exchange `platform.replay`.
import { inTransaction } from "@tradepost/postgres";
import { failPoint } from "@tradepost/runtime/fail-point";
import type { Channel, ChannelModel } from "amqplib";
import type { Pool, PoolClient } from "pg";
import { startConsumer } from "./consumer.ts";
import { lockShards, type OutboxRow, publishInOrder, type ShardRelay } from "./relay-shard.ts";
import { declareExchange, declareKeptQueue, declareWorkQueue } from "./topology.ts";

/** The durable topic exchange for requests; the routing key is the exchange whose events are wanted again. */
const REPLAY_EXCHANGE = "platform.replay";
const BATCH_EVENTS = 500;

/**
 * Declares a queue that takes events from an exchange. Where it was not there, what it held is gone, or it never was:
 * a replay is asked for first, since a crash after the declaration would leave nothing to tell of the loss.
 */
export async function declareFedQueue(
  channel: Channel,
  connection: ChannelModel,
  fed: { queue: string; poisonQueue: string; exchange: string; routingKeys: readonly string[] },
): Promise<void> {
  if (!(await isQueueThere(connection, fed.queue))) {
    await declareExchange(channel, REPLAY_EXCHANGE);
    channel.publish(REPLAY_EXCHANGE, fed.exchange, Buffer.from("{}"), { persistent: true });
  }
  await declareExchange(channel, fed.exchange);
  await declareWorkQueue(channel, fed.queue, fed.poisonQueue);
  for (const key of fed.routingKeys) await channel.bindQueue(fed.queue, fed.exchange, key);
}

/** Hears requests for a replay, and notes the one that no request tells of: that its own queue is gone. */
export function startHearingRequests(
  options: Pick<Parameters<typeof startConsumer>[0], "url" | "logger"> & {
    service: string;
    pool: Pool;
    exchange: string;
  },
) {
  const { service, pool, exchange, url, logger } = options;
  const queue = `${service}.replay`;
  return startConsumer({
    url,
    name: queue,
    logger,
    queue,
    prefetch: 1,
    declare: async (channel, connection) => {
      if (!(await isQueueThere(connection, queue))) await pool.query(NOTE_REPLAY);
      await declareExchange(channel, REPLAY_EXCHANGE);
      await declareKeptQueue(channel, queue);
      await channel.bindQueue(queue, REPLAY_EXCHANGE, exchange);
    },
    handle: async () => {
      await pool.query(NOTE_REPLAY);
      return "ack";
    },
  });
}

// What was published until now; one that is under way begins anew.
const NOTE_REPLAY = `
  insert into replay (until) values (now())
  on conflict (only_one) do update
     set until = now(), after_published_at = excluded.after_published_at, after_id = excluded.after_id`;

interface ReplayRow {
  readonly until: string;
  readonly after_published_at: string;
  readonly after_id: string;
}

type PublishedRow = OutboxRow & { readonly published_at: string };

// As text: a Date would lose the microseconds.
const FIND_REPLAY =
  "select until::text, after_published_at::text, after_id::text from replay for no key update";

const NEXT_EVENTS = `
  select id, event_id, aggregate_id, type, tenant_id, occurred_at, request_id, traceparent,
         actor::text as actor, data::text as data, published_at::text as published_at
    from published_events
   where published_at <= $1::timestamptz and (published_at, id) > ($2::timestamptz, $3::bigint)
   order by published_at, id
   limit $4`;

/**
 * One batch of the replay that is noted. In: how many shards the outbox has, and whether the last batch was held up: then
 * a single event is tried, for what the broker did take is not to be sent over and over. Out: how many were published,
 * and whether the next is held up; null where another replica is at work on the outbox.
 */
export async function replayBatch(
  relay: ShardRelay,
  shardCount: number,
  wasHeldUp: boolean,
): Promise<{ count: number; isHeldUp: boolean } | null> {
  const batch = await inTransaction(relay.pool, async (client) => {
    // Nobody is between a confirm and its commit then, and what was confirmed can all be seen.
    const all = Array.from({ length: shardCount }, (_, shard) => shard);
    if ((await lockShards(client, all)).length < shardCount) return null;
    const { rows: replays } = await client.query<ReplayRow>(FIND_REPLAY);
    const [replay] = replays;
    if (replay === undefined) return { count: 0, isHeldUp: false };
    const { rows } = await client.query<PublishedRow>(NEXT_EVENTS, [
      replay.until,
      replay.after_published_at,
      replay.after_id,
      wasHeldUp ? 1 : BATCH_EVENTS,
    ]);
    failPoint("replay.read");
    if (rows.length === 0) {
      await client.query("delete from replay");
      failPoint("replay.ended");
      relay.logger.info({ until: replay.until }, "all events published again");
      return { count: 0, isHeldUp: false };
    }
    return await publishNext(client, rows, relay);
  });
  failPoint("replay.committed");
  return batch;
}

async function publishNext(client: PoolClient, rows: PublishedRow[], relay: ShardRelay) {
  const outcomes = new Map(
    (await publishInOrder(rows, relay)).map(({ row, outcome }) => [row.id, outcome] as const),
  );
  failPoint("replay.published");
  const firstLeft = rows.findIndex(({ id }) => {
    const outcome = outcomes.get(id);
    return outcome !== "confirmed" && outcome !== "unencodable";
  });
  const done = firstLeft === -1 ? rows : rows.slice(0, firstLeft);
  const last = done.at(-1);
  if (last !== undefined) {
    await client.query("update replay set after_published_at = $1::timestamptz, after_id = $2::bigint", [
      last.published_at,
      last.id,
    ]);
    failPoint("replay.noted");
  }
  return { count: done.length, isHeldUp: firstLeft !== -1 };
}

async function isQueueThere(connection: ChannelModel, queue: string): Promise<boolean> {
  const channel = await connection.createChannel();
  // A queue that is not there closes the channel that asked for it.
  channel.on("error", () => undefined);
  try {
    await channel.checkQueue(queue);
    await channel.close();
    return true;
  } catch (error) {
    if ((error as { code?: unknown }).code === 404) return false;
    throw error;
  }
}
