// Moves committed events from the outbox to the exchange: claims a shard, publishes, awaits the confirms, deletes.
//
// Any number of replicas run one. A shard is held by a transaction-scoped advisory lock, so one relay at a time
// works on it and a killed one frees it with its connection. Rows are deleted only after their confirm, so a crash
// in between publishes again and never loses. Polling is what is relied on; `wake` only makes it prompt.

import type { Logger, Metrics } from "@tradepost/runtime";
import type { Pool, PoolClient } from "pg";
import { EVENTS_EXCHANGE } from "./event.ts";
import type { Publisher, PublishOutcome } from "./publisher.ts";

export interface Relay {
  /** Says that a transaction with an outbox row has just committed. */
  wake(): void;
  /** Finishes the batch in hand and ends. */
  stop(): Promise<void>;
}

// Must equal the modulus of the outbox table's generated column `shard`.
const SHARD_COUNT = 4;
// Larger batches drain faster and repeat more after a crash; past 500 the gain is small.
const BATCH_ROWS_MAX = 500;
const POLL_BUSY_MS = 25;
const POLL_IDLE_MS = 1_000;
const RETRY_BASE_MS = 250;
const RETRY_MAX_MS = 60_000;

/**
 * In: a pool on the service's database, a publisher, and `mustRoute`: whether an event of this type is lost when no
 * queue is bound for it (then it waits in the outbox until one is) or merely of interest to nobody today.
 * Carries out contract §6, last paragraph.
 */
export function startRelay(options: {
  pool: Pool;
  publisher: Publisher;
  mustRoute: (type: string) => boolean;
  logger: Logger;
  metrics: Metrics;
}): Relay {
  const { logger, publisher } = options;
  const published = options.metrics.counter("outbox_published_total", "Events that the broker confirmed.");
  let isStopping = false;
  let isWoken = false;
  let endWait = () => {};

  async function live(): Promise<void> {
    for (let waitMs = POLL_BUSY_MS; !isStopping; ) {
      isWoken = false;
      const count = await drainOnce();
      published.inc(count);
      waitMs = count > 0 ? POLL_BUSY_MS : Math.min(waitMs * 2, POLL_IDLE_MS);
      const hasMore = count === BATCH_ROWS_MAX;
      if (!hasMore && !isWoken && !isStopping) await wait(waitMs);
    }
  }

  function wait(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      endWait = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  async function drainOnce(): Promise<number> {
    if (!publisher.isUp()) return 0;
    try {
      const { rows } = await options.pool.query<{ shard: number }>(SHARDS_WITH_ROWS);
      const counts = await Promise.all(rows.map(({ shard }) => relayShard(shard, options)));
      return Math.max(0, ...counts);
    } catch (error) {
      logger.warn({ err: error }, "the relay could not read the outbox; trying again");
      return 0;
    }
  }

  const living = live();
  return {
    wake: () => {
      isWoken = true;
      endWait();
    },
    stop: async () => {
      isStopping = true;
      endWait();
      await living;
    },
  };
}

interface OutboxRow {
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

const SHARDS_WITH_ROWS = `
  select shard from generate_series(0, ${SHARD_COUNT - 1}) shard
   where exists (select 1 from outbox where outbox.shard = shard.shard and parked_at is null)`;

// The lock is asked for once, before any row is read. Rows of an aggregate that has an older row waiting for its
// next try stay behind it.
const CLAIM_SHARD = `
  select id, event_id, aggregate_id, type, tenant_id, occurred_at, request_id, traceparent,
         actor::text as actor, data::text as data
    from outbox
   where (select pg_try_advisory_xact_lock(hashtext('tradepost.outbox'), $1))
     and shard = $1 and parked_at is null and next_try_at <= now()
     and not exists (select 1 from outbox older
                      where older.aggregate_id = outbox.aggregate_id and older.id < outbox.id
                        and older.attempts > 0 and older.parked_at is null and older.next_try_at > now())
   order by id
   limit ${BATCH_ROWS_MAX}
     for update`;

const DELETE_PUBLISHED = "delete from outbox where id = any($1::bigint[])";

const TRY_LATER = `
  update outbox
     set attempts = attempts + 1, last_error = $2,
         next_try_at = now() + least(${RETRY_MAX_MS}, ${RETRY_BASE_MS} * 2 ^ least(attempts, 16)) * interval '1 ms'
   where id = any($1::bigint[])`;

const PARK =
  "update outbox set attempts = attempts + 1, last_error = $2, parked_at = now() where id = any($1::bigint[])";

/** Out: how many events of the shard were published; 0 where another relay holds it. */
async function relayShard(shard: number, options: Parameters<typeof startRelay>[0]): Promise<number> {
  const client = await options.pool.connect();
  let failure: Error | undefined;
  try {
    await client.query("begin");
    const { rows } = await client.query<OutboxRow>(CLAIM_SHARD, [shard]);
    const outcomes = await publishAll(rows, options);
    await settle(client, outcomes, options.logger);
    await client.query("commit");
    return outcomes.filter(({ outcome }) => outcome === "confirmed").length;
  } catch (error) {
    failure = error instanceof Error ? error : new Error(String(error));
    throw failure;
  } finally {
    // A client that failed is closed, which rolls back and frees the shard.
    client.release(failure);
  }
}

interface RowOutcome {
  readonly row: OutboxRow;
  readonly outcome: PublishOutcome;
}

/** Aggregates go side by side; the events of one go one after the other and stop at the first that fails. */
async function publishAll(
  rows: OutboxRow[],
  options: Parameters<typeof startRelay>[0],
): Promise<RowOutcome[]> {
  const aggregates = Map.groupBy(rows, (row) => row.aggregate_id);
  const outcomes = await Promise.all(
    [...aggregates.values()].map(async (events) => {
      const done: RowOutcome[] = [];
      for (const row of events) {
        const outcome = await options.publisher.publish(messageOf(row, options.mustRoute(row.type)));
        done.push({ row, outcome });
        const mayGoOn = outcome === "confirmed" || outcome === "unencodable";
        if (!mayGoOn) break;
      }
      return done;
    }),
  );
  return outcomes.flat();
}

function messageOf(row: OutboxRow, mandatory: boolean) {
  const envelope = JSON.stringify({
    id: row.event_id,
    type: row.type,
    tenant_id: row.tenant_id,
    occurred_at: row.occurred_at.toISOString(),
    request_id: row.request_id,
  });
  return {
    exchange: EVENTS_EXCHANGE,
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
  if (ids("confirmed").length > 0) await client.query(DELETE_PUBLISHED, [ids("confirmed")]);
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
