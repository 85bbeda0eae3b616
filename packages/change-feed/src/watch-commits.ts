// Tells waiting requests that their tenant may have new events. It polls the database only while someone waits, on one
// connection for all of them, and sees the commits of every replica.
import { connectPostgres, queryTogether } from "@tradepost/postgres";
import { type Logger, type Metrics, repeat } from "@tradepost/runtime";
import { startAdoptingRestored } from "./adopt-restored.ts";
import { type Mark, marksFrom, withMark } from "./unannounced.ts";

/** A request that waits for its tenant's next event. */
export interface Waiter {
  /**
   * Resolves once the tenant may have events that were not visible when `next` was last called, or `watch` the first time.
   * The number is the same for all waiters that the same look at the database wakes.
   */
  next(): Promise<number>;
  stop(): void;
}

export interface CommitWatch {
  watch(tenantId: string): Waiter;
  stop(): Promise<void>;
}

// A waiting request learns of a commit within this time and that of a poll.
const POLL_EVERY_MS = 50;
const RETRY_EVERY_MS = 500;
const IDLE_MS = 60_000;
/** One plan for each statement, by index: the outbox is full at one moment and empty at the next. */
export const ALWAYS_BY_INDEX = {
  enable_sort: "off",
  enable_bitmapscan: "off",
  enable_seqscan: "off",
  // Plans that cannot do without one of the above cost so much that Postgres would compile them, for seconds.
  jit: "off",
  plan_cache_mode: "force_generic_plan",
};

/** Starts the watch. `role` must see the events of all tenants. */
export function watchCommits(options: {
  url: string;
  role: string;
  /** The application name in pg_stat_activity. */
  name: string;
  prepare: boolean;
  metrics: Metrics;
  logger: Logger;
}): CommitWatch {
  const { pool, stop: stopPool } = connectPostgres({
    ...options,
    connectionsMax: 1,
    settings: ALWAYS_BY_INDEX,
  });
  const adopting = startAdoptingRestored(pool, options.logger);
  const waiters = new Map<string, Set<() => void>>();
  let lookCount = 0;
  /** The events of transactions below it are announced; null while the watch does not run. */
  let announced: bigint | null = null;
  let marks: readonly Mark[] = [];

  const polling = repeat(async () => {
    if (waiters.size === 0) {
      announced = null;
      return IDLE_MS;
    }
    try {
      await poll();
      return POLL_EVERY_MS;
    } catch (error) {
      options.logger.warn({ err: error }, "the database could not be asked for new events; retrying");
      announced = null;
      return RETRY_EVERY_MS;
    }
  });

  async function poll(): Promise<void> {
    lookCount += 1;
    const { mark, xmin, lastIdAfter } = await readMark();
    if (announced === null) {
      // Events may have been committed since the last poll, so every waiting request reads again.
      announced = xmin;
      marks = [mark];
      announceAll();
      return;
    }
    marks = withMark(marksFrom(marks, announced), mark);
    if (xmin <= announced) return;
    const from = marks[0] ?? mark;
    if (from.xmax > announced) {
      // Transactions end that were open when the watch began; what they wrote may be before the first mark.
      announceAll();
    } else if (from.lastId !== lastIdAfter) {
      const values = [from.lastId, from.at, String(announced), String(xmin)];
      const { rows } = await pool.query<{ tenant_id: string }>(TENANTS_WITH_EVENTS, values);
      for (const { tenant_id } of rows) announce(tenant_id);
    }
    announced = xmin;
  }

  async function readMark(): Promise<{ mark: Mark; xmin: bigint; lastIdAfter: string }> {
    const results = await queryTogether(pool, [
      { text: READ_SNAPSHOT },
      { text: READ_LAST },
      { text: READ_NEXT_XID },
    ]);
    const [[snapshot], [last], [next]] = results.map(({ rows }) => rows) as [
      [{ xmin: string; lastIdAfter: string }],
      [{ lastId: string; at: string }],
      [{ xid: string }],
    ];
    const mark = { xmax: BigInt(next.xid), lastId: last.lastId, at: last.at };
    return { mark, xmin: BigInt(snapshot.xmin), lastIdAfter: snapshot.lastIdAfter };
  }

  function announceAll(): void {
    for (const tenantId of waiters.keys()) announce(tenantId);
  }

  function announce(tenantId: string): void {
    for (const wake of waiters.get(tenantId) ?? []) wake();
  }

  return {
    watch: (tenantId) => {
      let news = Promise.withResolvers<void>();
      let look = 0;
      const wake = () => {
        look = lookCount;
        news.resolve();
      };
      const ofTenant = waiters.get(tenantId) ?? new Set();
      waiters.set(tenantId, ofTenant.add(wake));
      if (announced === null) polling.wake();
      return {
        next: async () => {
          await news.promise;
          news = Promise.withResolvers<void>();
          // The latest look: a read that others began after an earlier one may not show what this one has found.
          return look;
        },
        stop: () => {
          ofTenant.delete(wake);
          if (ofTenant.size === 0 && waiters.get(tenantId) === ofTenant) waiters.delete(tenantId);
        },
      };
    },
    stop: async () => {
      await Promise.all([polling.stop(), adopting.stop()]);
      await stopPool();
    },
  };
}

// The functions of a statement are called after its snapshot is taken: no event that the snapshot shows has a number above
// `lastIdAfter`.
const LAST_ID = "coalesce(pg_sequence_last_value('outbox_id_seq'), 0)::text";
const READ_SNAPSHOT = `
  select pg_snapshot_xmin(pg_current_snapshot())::text as xmin, ${LAST_ID} as "lastIdAfter"`;
const READ_LAST = `select ${LAST_ID} as "lastId", clock_timestamp()::text as at`;
// It uses up an id. The snapshot's xmax would not do: it is one more than the last transaction that has ended, and later ones
// may be open. It comes last, because from then on this transaction itself is an open one.
const READ_NEXT_XID = "select pg_current_xact_id()::text as xid";

const TENANTS_WITH_EVENTS = `
  select tenant_id from outbox where id > $1::bigint and xid >= $3::xid8 and xid < $4::xid8
  union
  select tenant_id from published_events
   where published_at >= $2::timestamptz and xid >= $3::xid8 and xid < $4::xid8`;
