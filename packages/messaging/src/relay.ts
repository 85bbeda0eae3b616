// Publishes the committed events of the outbox, as long as the service runs (interface §6).
//
// Every replica runs a relay. An advisory lock lets one relay at a time work on a shard; it belongs to the relay's transaction, so
// it is released if the relay dies. Rows leave the outbox only after their confirm: a crash in between publishes them again and
// never loses one. The relay also polls, because a process may die between its commit and its wake. Published events are retained
// for some days and published again if the broker loses them: see `replay.ts`.
import { connectPostgres, rotateDayPartitions, watchArchive } from "@tradepost/postgres";
import { type Logger, type Metrics, repeat, settlesWithin, type Tracer } from "@tradepost/runtime";
import { startReplayRequestConsumer } from "./consume-replay-requests.ts";
import { drainShards } from "./drain-shards.ts";
import { AUDIT_EXCHANGE, EVENTS_EXCHANGE } from "./event.ts";
import { startPolling } from "./poll-outbox.ts";
import { type Published, publishShards, SHARD_COUNT } from "./publish-shards.ts";
import { startPublisher } from "./publisher.ts";
import { beginReplay, REPLAYED_DAYS, startReplayLoop } from "./replay.ts";
import { checkSharedExchange } from "./shared-exchanges.ts";
import { startTally } from "./tally.ts";
import { watchOutbox } from "./watch-outbox.ts";

export interface Relay {
  /** Call it after a transaction with an outbox row has committed: the relay then polls at once. */
  wake(): void;
  /** Whether the broker accepts messages. For `/readyz`. */
  isUp(): boolean;
  /** Finishes the current batch. Waits at most 9 s for a broker or a database that does not respond. */
  stop(): Promise<void>;
}

interface RelayOptions {
  readonly service: string;
  readonly databaseUrl: string;
  /** The role to act as; by default the URL's user. */
  readonly databaseRole?: string;
  /** False for a Postgres pooler that cannot carry prepared statements; true by default. */
  readonly prepare?: boolean;
  readonly amqpUrl: string;
  /** `platform.events` by default. */
  readonly exchange?: string;
  /** Whether the outbox also has audit entries (`auditRow`), which are published again when the audit log's queue is lost. */
  readonly hasAuditEntries?: boolean;
  /**
   * Whether an event of this type must reach a queue. If so, it waits in the outbox until a queue is bound for it; otherwise it
   * counts as published even if no queue receives it.
   */
  readonly mustRoute: (type: string) => boolean;
  /**
   * The types of events that only the change feed lists. They are not sent, but count as published when it is their turn among the
   * events of their aggregate. None by default.
   */
  readonly feedOnlyTypes?: readonly string[];
  /** For how many days published events are retained, at least 7; 7 by default. */
  readonly keepDays?: number;
  /** How many days of published events are published again after a loss; 7 by default. */
  readonly replayDays?: number;
  /** How long a confirm may take, 10 s by default. */
  readonly confirmTimeoutMs?: number;
  /** Reports published events of these types to the webhooks service every `everyMs`; off by default. See `tally.ts`. */
  readonly tally?: { readonly types: readonly string[]; readonly everyMs: number };
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** Receives a span for each publication; none by default. */
  readonly tracer?: Tracer;
}

// One connection for the batch of each shard, and one each for the replay's batch, a replay request, a tally, and a commit that
// waits for a standby.
const CONNECTIONS_MAX = SHARD_COUNT + 4;
const ALL_SHARDS = Array.from({ length: SHARD_COUNT }, (_, shard) => shard);
const NONE: Published = { publishedCount: 0, hasMore: false, hasWaiting: true };

// A batch takes milliseconds. A batch that takes longer waits for a broker or a database that does not respond; closing the
// connections ends it.
const STOP_BATCH_TIMEOUT_MS = 5_000;

const READ_STATE_EVERY_MS = 1_000;
const RETENTION_CHECK_EVERY_MS = 60 * 60 * 1_000;

// The outbox is full at one moment and empty at the next, so the planner's statistics are wrong: it would read and sort a whole
// shard for each batch. With these settings each statement has only one plan, which uses an index. `plan_cache_mode` keeps Postgres
// from planning a statement again for each batch, which takes longer than a batch of one event.
const ALWAYS_BY_INDEX = {
  enable_sort: "off",
  enable_bitmapscan: "off",
  enable_seqscan: "off",
  // A plan that needs one of the steps above gets such a high cost that Postgres would compile it, for seconds.
  jit: "off",
  plan_cache_mode: "force_generic_plan",
};

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
  const { service, exchange = EVENTS_EXCHANGE, mustRoute, logger, metrics } = options;
  const database = connectPostgres({
    ...databaseOf(options),
    name: `${service}.relay`,
    connectionsMax: CONNECTIONS_MAX,
    settings: ALWAYS_BY_INDEX,
  });
  const { pool, replicated } = database;
  const publisher = startPublisher({
    url: options.amqpUrl,
    name: `${service}.relay`,
    logger,
    metrics,
    declare: (channel) => checkSharedExchange(channel, exchange),
    ...(options.confirmTimeoutMs !== undefined && { confirmTimeoutMs: options.confirmTimeoutMs }),
  });
  const requests = startReplayRequestConsumer({
    service,
    url: options.amqpUrl,
    ...{ pool, replicated },
    exchanges: [exchange, ...(options.hasAuditEntries ? [AUDIT_EXCHANGE] : [])],
    onRecorded: () => {
      readStateAt = 0;
      publishing.wake();
    },
    logger,
    metrics,
  });
  const retention = startRetention(options);
  const published = metrics.counter(
    "outbox_published_total",
    "Events that the broker confirmed, or that only the change feed lists.",
  );
  watchOutbox(metrics, pool);
  // Of all pools of a service, this one is there in every service.
  watchArchive(metrics, pool);
  const { replayDays = REPLAYED_DAYS, feedOnlyTypes = [], tracer } = options;
  const relay = {
    ...{ pool, replicated, publisher, exchange },
    ...{ mustRoute, feedOnlyTypes, replayDays, logger, tracer },
  };
  // The replay queue's consumer must be up too: it detects a broker that has lost its data.
  const isUp = () => publisher.isUp() && requests.isUp();
  let isStopping = false;
  let isReplaying = false;
  /** Whether some shard had more rows than fit into a batch. */
  let hasBacklog = false;
  let isWoken = false;
  let readStateAt = 0;
  const publishing = startPolling(async () => {
    const result = await publishPending();
    published.inc(result.publishedCount);
    hasBacklog = result.hasMore;
    return result;
  });
  const replaying = startReplayLoop(relay, {
    isRecorded: () => isReplaying,
    isUp,
    mustYield: () => hasBacklog,
  });
  const { tally } = options;
  const tallying = tally && startTally({ ...tally, service, pool, publisher, exchange, isUp, logger });

  async function publishPending(): Promise<Published> {
    if (!isUp()) return NONE;
    try {
      // A wake already says that there is an event, so the outbox's state is read only for other polls, and once a second under load.
      const isStateKnown = isWoken && !hasBacklog && performance.now() < readStateAt;
      isWoken = false;
      const shards = isStateKnown ? ALL_SHARDS : await readState();
      if (shards.length === 0) return { ...NONE, hasWaiting: false };
      // For a few events, one transaction for all shards is the cheapest.
      if (!hasBacklog) return await publishShards(shards, relay);
      return await drainShards(shards, relay, () => isStopping);
    } catch (error) {
      logger.warn({ err: error }, "the relay could not read the outbox; retrying");
      return NONE;
    }
  }

  /** Begins or continues the recorded replay, if there is one. Returns the shards with events. */
  async function readState(): Promise<readonly number[]> {
    const { rows } = await pool.query<OutboxState>(READ_STATE, [ALL_SHARDS]);
    const [{ hasReplay, hasBegun, shards } = EMPTY] = rows;
    readStateAt = performance.now() + READ_STATE_EVERY_MS;
    if (hasReplay && !hasBegun) await beginReplay(relay);
    if (hasReplay && !isReplaying) replaying.wake();
    isReplaying = hasReplay;
    return shards;
  }

  return {
    wake: () => {
      isWoken = true;
      publishing.wake();
    },
    isUp: publisher.isUp,
    stop: async () => {
      isStopping = true;
      const stopped = Promise.all([
        publishing.stop(),
        replaying.stop(),
        tallying?.stop(),
        retention.stop(),
        requests.stop(),
      ]);
      await settlesWithin(stopped, STOP_BATCH_TIMEOUT_MS);
      // Closing the connections fails the messages and statements still in flight.
      await publisher.stop();
      await Promise.all([database.stop(), retention.end()]);
      await stopped;
    },
  };
}

/** The options of both of the relay's pools. */
function databaseOf({ databaseUrl, databaseRole, prepare = true, metrics, logger }: RelayOptions) {
  return {
    url: databaseUrl,
    ...(databaseRole !== undefined && { role: databaseRole }),
    prepare,
    metrics,
    logger,
  };
}

/** Creates and drops the day partitions of the published events. */
function startRetention(options: RelayOptions) {
  const { service, keepDays = REPLAYED_DAYS, logger } = options;
  const { pool, stop } = connectPostgres({
    ...databaseOf(options),
    name: `${service}.days`,
    connectionsMax: 1,
  });
  const loop = repeat(async () => {
    try {
      await rotateDayPartitions(pool, "published_events", keepDays);
      await pool.query(FORGET_BYTES, [keepDays]);
    } catch (error) {
      logger.warn({ err: error }, "partitions of published events could not be rotated; retrying");
    }
    return RETENTION_CHECK_EVERY_MS;
  });
  return { stop: loop.stop, end: stop };
}

const FORGET_BYTES = "delete from event_bytes where day < (now() at time zone 'utc')::date - $1::integer";

// `limit 1` in a subselect, because Postgres may turn `exists` into a join that reads the whole index.
const READ_STATE = `
  select exists (select 1 from replay) as "hasReplay",
         not exists (select 1 from replay where begun_until is distinct from until) as "hasBegun",
         array(select shard from unnest($1::smallint[]) as each (shard)
                where (select true from outbox
                        where outbox.shard = each.shard and parked_at is null limit 1)) as shards`;
