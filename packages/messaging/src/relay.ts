// Moves committed events from the outbox to the exchange, for as long as the service runs.
//
// Any number of replicas run one. A shard is held by a transaction-scoped advisory lock, so one relay at a time
// works on it and a killed one frees it with its connection. Rows are deleted only after their confirm, so a crash
// in between publishes again and never loses. Polling is what is relied on; `wake` only makes it prompt. What was
// published is kept for some days, and published again where the broker lost it: see `replay.ts`.
import { connectPostgres, rotateDayPartitions } from "@tradepost/postgres";
import { backoff, type Logger, type Metrics, repeat, settlesWithin, sleep } from "@tradepost/runtime";
import { startReplayRequestConsumer } from "./consume-replay-requests.ts";
import { EVENTS_EXCHANGE } from "./event.ts";
import { startPublisher } from "./publisher.ts";
import { type Relayed, relayShards, SHARD_COUNT } from "./relay-shard.ts";
import { beginReplay, startReplaying } from "./replay.ts";
import { checkSharedExchange } from "./shared-exchanges.ts";

export interface Relay {
  /** Says that a transaction with an outbox row has just committed. */
  wake(): void;
  /** Rejects while the broker takes no messages. For `/readyz`. */
  ping(): Promise<void>;
  /** Finishes the batch in hand and ends. A broker or a database that does not respond delays it by 9 s at most. */
  stop(): Promise<void>;
}

// A shard's batch each, one of a replay, and a request for one that is noted meanwhile.
const CONNECTIONS_MAX = SHARD_COUNT + 2;
const POLL_INTERVAL = { minMs: 25, maxMs: 1_000 };
// Under load an event waits this long for others, which costs a fraction each; one that comes alone goes at once.
const BREATH_MS = 10;
// Of a full outbox each shard is drained by itself, so that one's events are published while another's are claimed; after
// so many batches the relay looks round again.
const BATCHES_A_TURN = 10;

// A batch takes milliseconds. What is not over by then waits for a broker or a database that does not respond, and is ended
// with the connections.
const STOP_BATCH_TIMEOUT_MS = 5_000;

// Longer than any broker's loss goes unnoticed; and shorter than consumers remember what they have consumed.
export const DAYS_KEPT = 7;
const LOOK_FOR_DAYS_MS = 60 * 60 * 1_000;

// The outbox is full one moment and empty the next, so what Postgres believes of it is wrong: it would read all of a
// shard and sort it for each batch. So there is but one plan for each statement, and they can be prepared.
const ALWAYS_BY_INDEX = { enable_sort: "off", enable_bitmapscan: "off", enable_seqscan: "off" };

const LOOK = {
  name: "look-at-outbox",
  text: `
  select exists (select 1 from replay) as "hasNote",
         not exists (select 1 from replay where begun_until is distinct from until) as "hasBegun",
         array(select shard from generate_series(0, ${SHARD_COUNT - 1}) shard
                where exists (select 1 from outbox where outbox.shard = shard.shard and parked_at is null)) as shards`,
};

interface Look {
  /** Whether a replay is noted. */
  readonly hasNote: boolean;
  readonly hasBegun: boolean;
  /** Those with something to publish. */
  readonly shards: number[];
}
const NOTHING: Look = { hasNote: false, hasBegun: true, shards: [] };

/**
 * In: the service's database and broker, the exchange its outbox is for, and `mustRoute`: whether an event of this
 * type is lost when no queue is bound for it (then it waits in the outbox until one is) or merely of interest to
 * nobody today.
 * Opens a pool and a connection of its own. Carries out contract §6, last paragraph.
 */
export function startRelay(options: {
  service: string;
  databaseUrl: string;
  /** The role to act as, where it is not the URL's own. */
  databaseRole?: string;
  amqpUrl: string;
  /** `platform.events` unless given. */
  exchange?: string;
  mustRoute: (type: string) => boolean;
  logger: Logger;
  metrics: Metrics;
}): Relay {
  const { service, exchange = EVENTS_EXCHANGE, mustRoute, logger } = options;
  const { pool, stop: stopPool } = connectPostgres({
    url: options.databaseUrl,
    name: `${service}.relay`,
    connectionsMax: CONNECTIONS_MAX,
    settings: ALWAYS_BY_INDEX,
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
  const keeping = startKeepingDays(options);
  const published = options.metrics.counter("outbox_published_total", "Events that the broker confirmed.");
  options.metrics.gauge("outbox_pending", "Events not published yet.", [], async (gauge) => {
    const { rows } = await pool.query<{ count: string }>(
      "select count(*) from outbox where parked_at is null",
    );
    gauge.set(Number(rows[0]?.count));
  });
  const relay = { pool, publisher, exchange, mustRoute, logger };
  // Until its own queue was looked for, nobody knows whether this is still the same broker.
  const isUp = () => publisher.isUp() && requests.isUp();
  let isStopping = false;
  let isReplaying = false;
  /** Whether there was more of a shard than a batch holds. */
  let isFull = false;
  let idlePollCount = 0;
  let breatheUntil = 0;
  const relaying = repeat(async () => {
    const breath = breatheUntil - performance.now();
    if (breath > 0) await sleep(breath);
    const relayed = await drainOnce();
    const count = relayed.reduce((sum, { publishedCount }) => sum + publishedCount, 0);
    published.inc(count);
    isFull = relayed.some(({ hasMore }) => hasMore);
    idlePollCount = count > 0 ? 0 : idlePollCount + 1;
    breatheUntil = count > 0 && !isFull ? performance.now() + BREATH_MS : 0;
    return isFull ? 0 : backoff(idlePollCount, POLL_INTERVAL);
  });
  const replaying = startReplaying(relay, {
    isWanted: () => isReplaying && isUp(),
    isHeldBack: () => isFull,
  });

  /** Out: what was published of each shard. */
  async function drainOnce(): Promise<Relayed[]> {
    if (!isUp()) return [];
    try {
      const { rows } = await pool.query<Look>(LOOK);
      const [{ hasNote, hasBegun, shards } = NOTHING] = rows;
      if (hasNote && !hasBegun) await beginReplay(relay);
      if (hasNote && !isReplaying) replaying.wake();
      isReplaying = hasNote;
      if (shards.length === 0) return [];
      // A few events are cheapest in one transaction.
      if (!isFull) return await relayShards(shards, relay);
      return await Promise.all(shards.map((shard) => drainShard(shard)));
    } catch (error) {
      logger.warn({ err: error }, "the relay could not read the outbox; trying again");
      return [];
    }
  }

  async function drainShard(shard: number): Promise<Relayed> {
    let publishedCount = 0;
    for (let batch = 0; batch < BATCHES_A_TURN && !isStopping; batch += 1) {
      const [relayed] = await relayShards([shard], relay);
      publishedCount += relayed?.publishedCount ?? 0;
      if (!relayed?.hasMore) return { publishedCount, hasMore: false };
    }
    return { publishedCount, hasMore: true };
  }

  return {
    wake: relaying.wake,
    ping: async () => {
      if (!publisher.isUp()) throw new Error("the broker takes no messages");
    },
    stop: async () => {
      isStopping = true;
      const working = Promise.all([relaying.stop(), replaying.stop(), keeping.stop(), requests.stop()]);
      await settlesWithin(working, STOP_BATCH_TIMEOUT_MS);
      // What is still in flight is given up, and what still waits for the database fails.
      await publisher.stop();
      await Promise.all([stopPool(), keeping.end()]);
      await working;
    },
  };
}

function startKeepingDays(options: Parameters<typeof startRelay>[0]) {
  const { service, databaseUrl: url, databaseRole: role, logger } = options;
  const { pool, stop } = connectPostgres({
    url,
    name: `${service}.days`,
    connectionsMax: 1,
    ...(role !== undefined && { role }),
    logger,
  });
  const keeping = repeat(async () => {
    try {
      await rotateDayPartitions(pool, "published_events", DAYS_KEPT);
    } catch (error) {
      logger.warn({ err: error }, "the days of published events could not be kept; trying again");
    }
    return LOOK_FOR_DAYS_MS;
  });
  return { stop: keeping.stop, end: stop };
}
