// Publishes the committed events of the outbox, as long as the service runs (interface §6).
//
// Every replica runs a relay. An advisory lock lets one relay at a time work on a shard; it belongs to the relay's transaction, so
// it is released if the relay dies. Rows leave the outbox only after their confirm: a crash in between publishes them again and
// never loses one. The relay also polls, because a process may die between its commit and its wake. Events that the broker loses
// are published again: see `replay.ts`.
import {
  ALWAYS_IN_INDEX_ORDER,
  connectPostgres,
  type DatabaseAccess,
  rotateDayPartitions,
  watchArchive,
} from "@tradepost/postgres";
import { type Logger, type Metrics, repeatOrWarn, settlesWithin, type Tracer } from "@tradepost/runtime";
import { startReplayRequestConsumer } from "./consume-replay-requests.ts";
import { AUDIT_EXCHANGE, EVENTS_EXCHANGE } from "./event.ts";
import { startFirstEvents } from "./first-events.ts";
import { startPolling } from "./poll-outbox.ts";
import { SHARD_COUNT } from "./publish-shards.ts";
import { startPublisher } from "./publisher.ts";
import { REPLAYED_DAYS, startReplayLoop } from "./replay.ts";
import { startTally } from "./tally.ts";
import { watchOutbox } from "./watch-outbox.ts";

export type Relay = ReturnType<typeof startRelay>;

interface RelayOptions {
  readonly service: string;
  readonly database: DatabaseAccess;
  readonly amqpUrl: string;
  /** Whether the outbox also has audit entries (`auditRow`), or only these (`auditOnlyRow`). */
  readonly auditEntries?: "beside events" | "only";
  /** Whether an event of this type waits in the outbox until a queue is bound for it. */
  readonly mustRoute: (type: string) => boolean;
  /** Types that only the change feed lists: their events are not sent, and count as published when it is their turn. */
  readonly feedOnlyTypes?: readonly string[];
  /** For how many days published events are retained; 7, the least, by default. */
  readonly keepDays?: number;
  /** Reports published events of these types to the webhooks service every `everyMs` (`tally.ts`); off by default. */
  readonly tally?: { readonly types: readonly string[]; readonly everyMs: number };
  /** For tests: how many days are published again after a loss, 7 by default. */
  readonly replayDays?: number;
  /** For tests: 10 s by default. */
  readonly confirmTimeoutMs?: number;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly tracer?: Tracer;
}

// One for the batch of each shard, and one each for the replay's batch, a replay request, a tally, and a commit that waits for a
// standby.
const CONNECTIONS_MAX = SHARD_COUNT + 4;

// Longer than any batch takes while broker and database respond.
const STOP_BATCH_TIMEOUT_MS = 5_000;

const RETENTION_CHECK_EVERY_MS = 60 * 60 * 1_000;

/** Opens its own database pools and broker connections. */
export function startRelay(options: RelayOptions) {
  const { service, amqpUrl, auditEntries, logger, metrics, tally } = options;
  const exchange = auditEntries === "only" ? AUDIT_EXCHANGE : EVENTS_EXCHANGE;
  const name = `${service}.relay`;
  const { pool, replicated, stop } = connectPostgres({
    ...{ ...options.database, name, connectionsMax: CONNECTIONS_MAX, metrics, logger },
    settings: ALWAYS_IN_INDEX_ORDER,
  });
  const publisher = startPublisher({
    ...{ url: amqpUrl, name, logger, metrics, confirmTimeoutMs: options.confirmTimeoutMs },
    declare: (channel) => channel.checkExchange(exchange),
  });
  const requests = startReplayRequestConsumer({
    ...{ url: amqpUrl, service, pool, replicated, logger, metrics },
    exchanges: auditEntries === "beside events" ? [exchange, AUDIT_EXCHANGE] : [exchange],
    onRecorded: () => polling.readState(),
  });
  const retention = startRetention(options);
  const published = metrics.counter(
    "outbox_published_total",
    "Events that the broker confirmed, or that only the change feed lists.",
  );
  watchOutbox(metrics, pool);
  // Every service has this pool.
  watchArchive(metrics, pool);
  const { mustRoute, feedOnlyTypes = [], replayDays = REPLAYED_DAYS, tracer } = options;
  const context = { mustRoute, feedOnlyTypes, replayDays, logger, tracer };
  const relay = { ...context, pool, replicated, publisher, exchange };
  // The replay queue's consumer must be up too: it detects a broker that has lost its data.
  const isUp = () => publisher.isUp() && requests.isUp();
  const onPublished = (count: number) => published.inc(count);
  const first = startFirstEvents(relay, { isUp, onPublished, wake: () => polling.wake() });
  const polling = startPolling(relay, {
    isUp,
    onReplay: () => replaying.wake(),
    onPublished,
    first,
  });
  const replaying = startReplayLoop(relay, {
    isRecorded: polling.isReplaying,
    isUp,
    mustYield: polling.hasBacklog,
  });
  const tallying = tally && startTally({ ...tally, service, pool, publisher, exchange, isUp, logger });
  return {
    /** Call it after a commit with an outbox row. */
    wake: polling.wake,
    reserve: first.reserve,
    committed: first.committed,
    isUp: publisher.isUp,
    /** Finishes what is being published. Waits at most 9 s for a broker or a database that does not respond. */
    stop: async () => {
      const loops = [first, polling, replaying, tallying, retention, requests];
      const stopped = Promise.all(loops.map((loop) => loop?.stop()));
      await settlesWithin(stopped, STOP_BATCH_TIMEOUT_MS);
      // Closing the connections fails the messages and statements still in flight.
      await publisher.stop();
      await Promise.all([stop(), retention.end()]);
      await stopped;
    },
  };
}

function startRetention(options: RelayOptions) {
  const { service, database, keepDays = REPLAYED_DAYS, metrics, logger } = options;
  const name = `${service}.days`;
  const { pool, stop } = connectPostgres({ ...database, name, connectionsMax: 1, metrics, logger });
  const warning = "partitions of published events could not be rotated; retrying";
  const loop = repeatOrWarn(logger, warning, RETENTION_CHECK_EVERY_MS, async () => {
    await rotateDayPartitions(pool, "published_events", keepDays);
    await pool.query(FORGET_BYTES, [keepDays]);
    return RETENTION_CHECK_EVERY_MS;
  });
  return { stop: loop.stop, end: stop };
}

const FORGET_BYTES = "delete from event_bytes where day < (now() at time zone 'utc')::date - $1::integer";
