// Publishes the committed events of the outbox, as long as the service runs (interface §6).
//
// Every replica runs a relay. A shard is locked by a transaction's advisory lock, so one relay at a time works on it, and
// the lock of a relay that dies is released with its connection. Rows leave the outbox only after their confirm: a crash in
// between publishes them again and never loses one. The relay polls; `wake` only makes it prompt. Published events are
// retained for some days and published again if the broker loses them: see `replay.ts`.
import { connectPostgres, rotateDayPartitions } from "@tradepost/postgres";
import { backoff, type Logger, type Metrics, repeat, settlesWithin, sleep } from "@tradepost/runtime";
import { startReplayRequestConsumer } from "./consume-replay-requests.ts";
import { EVENTS_EXCHANGE } from "./event.ts";
import { publishShards, SHARD_COUNT, type ShardResult } from "./publish-shards.ts";
import { startPublisher } from "./publisher.ts";
import { beginReplay, startReplayLoop } from "./replay.ts";
import { checkSharedExchange } from "./shared-exchanges.ts";

export interface Relay {
  /** Call it after a transaction with an outbox row has committed: the relay then polls at once. */
  wake(): void;
  /** Rejects while the broker accepts no messages. For `/readyz`. */
  ping(): Promise<void>;
  /** Finishes the current batch. Waits at most 9 s for a broker or a database that does not respond. */
  stop(): Promise<void>;
}

interface RelayOptions {
  readonly service: string;
  readonly databaseUrl: string;
  /** The role to act as, if it is not the URL's. */
  readonly databaseRole?: string;
  /** False for a Postgres pooler that cannot carry prepared statements; true by default. */
  readonly prepare?: boolean;
  readonly amqpUrl: string;
  /** `platform.events` by default. */
  readonly exchange?: string;
  /**
   * Whether an event of this type must reach a queue. If so, it waits in the outbox until one is bound for it; otherwise
   * it counts as published without one.
   */
  readonly mustRoute: (type: string) => boolean;
  readonly logger: Logger;
  readonly metrics: Metrics;
}

// A batch of each shard, a batch of the replay, and a replay request.
const CONNECTIONS_MAX = SHARD_COUNT + 2;
const POLL_INTERVAL = { minMs: 25, maxMs: 1_000 };
// Under load an event waits this long for others, because a batch costs little more than one event. After a pause an event
// is published at once.
const LINGER_MS = 10;
// A backlog is drained shard by shard, so that one shard's events are published while another's are claimed. After this
// many batches the relay reads the outbox's state again.
const BATCHES_PER_DRAIN = 10;

// A batch takes milliseconds. One that takes longer waits for a broker or a database that does not respond; closing the
// connections ends it.
const STOP_BATCH_TIMEOUT_MS = 5_000;

// Long enough to notice any loss of the broker, and shorter than consumers remember the ids of consumed events.
export const RETENTION_DAYS = 7;
const RETENTION_CHECK_EVERY_MS = 60 * 60 * 1_000;

// The outbox is full at one moment and empty at the next, so the planner's statistics are wrong: it would read and sort a
// whole shard for each batch. These settings leave one plan per statement, by index, which can be prepared.
const ALWAYS_BY_INDEX = { enable_sort: "off", enable_bitmapscan: "off", enable_seqscan: "off" };

interface OutboxState {
  /** Whether a replay is recorded. */
  readonly hasReplay: boolean;
  readonly hasBegun: boolean;
  /** The shards with events to publish. */
  readonly shards: number[];
}
const EMPTY: OutboxState = { hasReplay: false, hasBegun: true, shards: [] };

/** Starts the relay of a service's outbox. It opens its own database pools and broker connections. */
export function startRelay(options: RelayOptions): Relay {
  const { service, exchange = EVENTS_EXCHANGE, mustRoute, logger } = options;
  const { pool, stop: stopPool } = connectPostgres({
    url: options.databaseUrl,
    name: `${service}.relay`,
    connectionsMax: CONNECTIONS_MAX,
    settings: ALWAYS_BY_INDEX,
    prepare: options.prepare ?? true,
    ...(options.databaseRole !== undefined && { role: options.databaseRole }),
    logger,
  });
  const publisher = startPublisher({
    url: options.amqpUrl,
    name: `${service}.relay`,
    logger,
    declare: (channel) => checkSharedExchange(channel, exchange),
  });
  const requests = startReplayRequestConsumer({ service, url: options.amqpUrl, pool, exchange, logger });
  const retention = startRetention(options);
  const published = options.metrics.counter("outbox_published_total", "Events that the broker confirmed.");
  options.metrics.gauge("outbox_pending", "Events not published yet.", [], async (gauge) => {
    const { rows } = await pool.query<{ count: string }>(
      "select count(*) from outbox where parked_at is null",
    );
    gauge.set(Number(rows[0]?.count));
  });
  const relay = { pool, publisher, exchange, mustRoute, logger };
  // The replay queue's consumer must be up too: it detects a broker that has lost its data.
  const isUp = () => publisher.isUp() && requests.isUp();
  let isStopping = false;
  let isReplaying = false;
  /** Whether some shard had more rows than fit into a batch. */
  let hasBacklog = false;
  let idlePollCount = 0;
  let lingerUntil = 0;
  const publishing = repeat(async () => {
    const lingerMs = lingerUntil - performance.now();
    if (lingerMs > 0) await sleep(lingerMs);
    const results = await publishPending();
    const count = results.reduce((sum, { publishedCount }) => sum + publishedCount, 0);
    published.inc(count);
    hasBacklog = results.some(({ hasMore }) => hasMore);
    idlePollCount = count > 0 ? 0 : idlePollCount + 1;
    lingerUntil = count > 0 && !hasBacklog ? performance.now() + LINGER_MS : 0;
    return hasBacklog ? 0 : backoff(idlePollCount, POLL_INTERVAL);
  });
  const replaying = startReplayLoop(relay, {
    isWanted: () => isReplaying && isUp(),
    mustYield: () => hasBacklog,
  });

  async function publishPending(): Promise<ShardResult[]> {
    if (!isUp()) return [];
    try {
      const { rows } = await pool.query<OutboxState>(READ_STATE, [ALL_SHARDS]);
      const [{ hasReplay, hasBegun, shards } = EMPTY] = rows;
      if (hasReplay && !hasBegun) await beginReplay(relay);
      if (hasReplay && !isReplaying) replaying.wake();
      isReplaying = hasReplay;
      if (shards.length === 0) return [];
      // One transaction for all shards is the cheapest for a few events.
      if (!hasBacklog) return await publishShards(shards, relay);
      return await Promise.all(shards.map((shard) => drainShard(shard)));
    } catch (error) {
      logger.warn({ err: error }, "the relay could not read the outbox; retrying");
      return [];
    }
  }

  async function drainShard(shard: number): Promise<ShardResult> {
    let publishedCount = 0;
    for (let batch = 0; batch < BATCHES_PER_DRAIN && !isStopping; batch += 1) {
      const [result] = await publishShards([shard], relay);
      publishedCount += result?.publishedCount ?? 0;
      if (!result?.hasMore) return { publishedCount, hasMore: false };
    }
    return { publishedCount, hasMore: true };
  }

  return {
    wake: publishing.wake,
    ping: async () => {
      if (!publisher.isUp()) throw new Error("the broker accepts no messages");
    },
    stop: async () => {
      isStopping = true;
      const stopped = Promise.all([publishing.stop(), replaying.stop(), retention.stop(), requests.stop()]);
      await settlesWithin(stopped, STOP_BATCH_TIMEOUT_MS);
      // Closing the connections fails the messages and statements still in flight.
      await publisher.stop();
      await Promise.all([stopPool(), retention.end()]);
      await stopped;
    },
  };
}

/** Creates and drops the day partitions of the published events. */
function startRetention(options: RelayOptions) {
  const { service, databaseUrl: url, databaseRole: role, logger } = options;
  const { pool, stop } = connectPostgres({
    url,
    name: `${service}.days`,
    connectionsMax: 1,
    prepare: options.prepare ?? true,
    ...(role !== undefined && { role }),
    logger,
  });
  const loop = repeat(async () => {
    try {
      await rotateDayPartitions(pool, "published_events", RETENTION_DAYS);
    } catch (error) {
      logger.warn({ err: error }, "partitions of published events could not be rotated; retrying");
    }
    return RETENTION_CHECK_EVERY_MS;
  });
  return { stop: loop.stop, end: stop };
}

const ALL_SHARDS = Array.from({ length: SHARD_COUNT }, (_, shard) => shard);
const READ_STATE = `
  select exists (select 1 from replay) as "hasReplay",
         not exists (select 1 from replay where begun_until is distinct from until) as "hasBegun",
         array(select shard from unnest($1::smallint[]) as each (shard)
                where exists (select 1 from outbox where outbox.shard = each.shard and parked_at is null)) as shards`;
