// Publishes the committed events of the outbox, as long as the service runs (interface §6).
//
// Every replica runs a relay. An advisory lock lets one relay at a time work on a shard; it belongs to the relay's transaction, so
// it is released if the relay dies. Rows leave the outbox only after their confirm: a crash in between publishes them again and
// never loses one. The relay also polls, because a process may die between its commit and its wake. Events that the broker loses
// are published again: see `replay.ts`.
import {
  ALWAYS_IN_INDEX_ORDER,
  connectPostgres,
  rotateDayPartitions,
  watchArchive,
} from "@tradepost/postgres";
import { type Logger, type Metrics, repeatOrWarn, settlesWithin, type Tracer } from "@tradepost/runtime";
import { startReplayRequestConsumer } from "./consume-replay-requests.ts";
import { AUDIT_EXCHANGE, EVENTS_EXCHANGE } from "./event.ts";
import { startPolling } from "./poll-outbox.ts";
import { SHARD_COUNT } from "./publish-shards.ts";
import { startPublisher } from "./publisher.ts";
import { REPLAYED_DAYS, startReplayLoop } from "./replay.ts";
import { checkSharedExchange } from "./shared-exchanges.ts";
import { startTally } from "./tally.ts";
import { watchOutbox } from "./watch-outbox.ts";

export interface Relay {
  /** Call it after a commit with an outbox row. */
  wake(): void;
  /** Whether the broker accepts messages. */
  isUp(): boolean;
  /** Finishes the current batch. Waits at most 9 s for a broker or a database that does not respond. */
  stop(): Promise<void>;
}

interface RelayOptions {
  readonly service: string;
  readonly databaseUrl: string;
  /** By default the URL's user. */
  readonly databaseRole?: string;
  /** False for a pooler that cannot carry prepared statements. */
  readonly prepare?: boolean;
  readonly amqpUrl: string;
  /** `platform.events` by default. */
  readonly exchange?: string;
  /** Whether the outbox also has audit entries (`auditRow`). */
  readonly hasAuditEntries?: boolean;
  /** Whether an event of this type waits in the outbox until a queue is bound for it. */
  readonly mustRoute: (type: string) => boolean;
  /** Events that only the change feed lists: not sent, they count as published when it is their turn. */
  readonly feedOnlyTypes?: readonly string[];
  /** For how many days published events are retained; 7, the least, by default. */
  readonly keepDays?: number;
  /** How many days of them are published again after a loss; 7 by default. */
  readonly replayDays?: number;
  /** 10 s by default. */
  readonly confirmTimeoutMs?: number;
  /** Reports published events of these types to the webhooks service every `everyMs` (`tally.ts`); off by default. */
  readonly tally?: { readonly types: readonly string[]; readonly everyMs: number };
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly tracer?: Tracer;
}

// One for the batch of each shard, and one each for the replay's batch, a replay request, a tally, and a commit that waits for a
// standby.
const CONNECTIONS_MAX = SHARD_COUNT + 4;

// Longer than a batch takes that does not wait for a broker or a database that is away.
const STOP_BATCH_TIMEOUT_MS = 5_000;

const RETENTION_CHECK_EVERY_MS = 60 * 60 * 1_000;

/** Opens its own database pools and broker connections. */
export function startRelay(options: RelayOptions): Relay {
  const { service, exchange = EVENTS_EXCHANGE, mustRoute, logger, metrics } = options;
  const { pool, replicated, stop } = connectPostgres({
    ...databaseOf(options),
    name: `${service}.relay`,
    connectionsMax: CONNECTIONS_MAX,
    settings: ALWAYS_IN_INDEX_ORDER,
  });
  const publisher = startPublisher({
    url: options.amqpUrl,
    name: `${service}.relay`,
    ...{ logger, metrics, confirmTimeoutMs: options.confirmTimeoutMs },
    declare: (channel) => checkSharedExchange(channel, exchange),
  });
  const requests = startReplayRequestConsumer({
    url: options.amqpUrl,
    ...{ service, pool, replicated, logger, metrics },
    exchanges: [exchange, ...(options.hasAuditEntries ? [AUDIT_EXCHANGE] : [])],
    onRecorded: () => polling.readState(),
  });
  const retention = startRetention(options);
  const published = metrics.counter(
    "outbox_published_total",
    "Events that the broker confirmed, or that only the change feed lists.",
  );
  watchOutbox(metrics, pool);
  // Of all pools of a service, this one is there in every service.
  watchArchive(metrics, pool);
  const { replayDays = REPLAYED_DAYS, feedOnlyTypes = [], tracer, tally } = options;
  const relay = {
    ...{ pool, replicated, publisher, exchange },
    ...{ mustRoute, feedOnlyTypes, replayDays, logger, tracer },
  };
  // The replay queue's consumer must be up too: it detects a broker that has lost its data.
  const isUp = () => publisher.isUp() && requests.isUp();
  const polling = startPolling(relay, {
    isUp,
    onReplay: () => replaying.wake(),
    onPublished: (count) => published.inc(count),
  });
  const replaying = startReplayLoop(relay, {
    isRecorded: polling.isReplaying,
    isUp,
    mustYield: polling.hasBacklog,
  });
  const tallying = tally && startTally({ ...tally, service, pool, publisher, exchange, isUp, logger });
  return {
    wake: polling.wake,
    isUp: publisher.isUp,
    stop: async () => {
      const loops = [polling, replaying, tallying, retention, requests];
      const stopped = Promise.all(loops.map((loop) => loop?.stop()));
      await settlesWithin(stopped, STOP_BATCH_TIMEOUT_MS);
      // Closing the connections fails the messages and statements still in flight.
      await publisher.stop();
      await Promise.all([stop(), retention.end()]);
      await stopped;
    },
  };
}

function databaseOf({ databaseUrl, databaseRole, prepare = true, metrics, logger }: RelayOptions) {
  return {
    url: databaseUrl,
    ...(databaseRole !== undefined && { role: databaseRole }),
    prepare,
    metrics,
    logger,
  };
}

/** Rotates the day partitions of the published events. */
function startRetention(options: RelayOptions) {
  const { service, keepDays = REPLAYED_DAYS, logger } = options;
  const { pool, stop } = connectPostgres({
    ...databaseOf(options),
    name: `${service}.days`,
    connectionsMax: 1,
  });
  const loop = repeatOrWarn(
    logger,
    "partitions of published events could not be rotated; retrying",
    RETENTION_CHECK_EVERY_MS,
    async () => {
      await rotateDayPartitions(pool, "published_events", keepDays);
      await pool.query(FORGET_BYTES, [keepDays]);
      return RETENTION_CHECK_EVERY_MS;
    },
  );
  return { stop: loop.stop, end: stop };
}

const FORGET_BYTES = "delete from event_bytes where day < (now() at time zone 'utc')::date - $1::integer";
