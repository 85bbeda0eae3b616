// Wakes waiting requests when their tenant may have new events. One connection polls the database for all of them, and only while
// a request waits. It also sees the commits of other replicas.
import { connectPostgres, queryTogether } from "@tradepost/postgres";
import { type Logger, type Metrics, repeat } from "@tradepost/runtime";
import { startAdoptingRestored } from "./adopt-restored.ts";
import { type Mark, marksFrom, withMark } from "./unannounced.ts";

/** A request that waits for its tenant's next event. */
export interface Waiter {
  /**
   * Resolves once the tenant may have events that were not visible at the previous call of `next`, or at `watch` for the first
   * call. Returns the number of the poll that woke this waiter; all waiters that it woke get the same number.
   */
  next(): Promise<number>;
  stop(): void;
}

export interface CommitWatch {
  watch(tenantId: string): Waiter;
  stop(): Promise<void>;
}

// A waiting request learns of a commit within this time plus the duration of a poll.
const POLL_EVERY_MS = 50;
const RETRY_EVERY_MS = 500;
const IDLE_MS = 60_000;
/**
 * Planner settings that leave each statement one plan, by index. The planner's statistics are useless here: the outbox is full at
 * one moment and empty at the next.
 */
export const ALWAYS_BY_INDEX = {
  enable_sort: "off",
  enable_bitmapscan: "off",
  enable_seqscan: "off",
  // A plan that needs one of the steps above gets such a high cost that Postgres would compile it, for seconds.
  jit: "off",
  plan_cache_mode: "force_generic_plan",
};

/** Starts the watch. `role` must see the events of all tenants. Failed polls are logged and retried. */
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
  let pollCount = 0;
  /**
   * Requests have been woken for all events of transactions below this id. Null while no request waits, and after a failed poll.
   */
  let announcedBelow: bigint | null = null;
  let marks: readonly Mark[] = [];

  const polling = repeat(async () => {
    if (waiters.size === 0) {
      announcedBelow = null;
      return IDLE_MS;
    }
    try {
      await poll();
      return POLL_EVERY_MS;
    } catch (error) {
      options.logger.warn({ err: error }, "the database could not be asked for new events; retrying");
      announcedBelow = null;
      return RETRY_EVERY_MS;
    }
  });

  async function poll(): Promise<void> {
    pollCount += 1;
    const { mark, xmin, lastIdAfter } = await readMark();
    if (announcedBelow === null) {
      // Events may have been committed since the last poll, so every waiting request reads again.
      announcedBelow = xmin;
      marks = [mark];
      wakeAll();
      return;
    }
    marks = withMark(marksFrom(marks, announcedBelow), mark);
    if (xmin <= announcedBelow) return;
    const from = marks[0] ?? mark;
    if (from.xmax > announcedBelow) {
      // Transactions that were open when the watch began have ended. Their events may lie before the first mark, so every waiting
      // request reads again.
      wakeAll();
    } else if (from.lastId !== lastIdAfter) {
      const values = [from.lastId, from.at, String(announcedBelow), String(xmin)];
      const { rows } = await pool.query<{ tenant_id: string }>(TENANTS_WITH_EVENTS, values);
      for (const { tenant_id } of rows) wakeTenant(tenant_id);
    }
    announcedBelow = xmin;
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

  function wakeAll(): void {
    for (const tenantId of waiters.keys()) wakeTenant(tenantId);
  }

  function wakeTenant(tenantId: string): void {
    for (const wake of waiters.get(tenantId) ?? []) wake();
  }

  return {
    watch: (tenantId) => {
      let nextEvents = Promise.withResolvers<void>();
      let pollNumber = 0;
      const wake = () => {
        pollNumber = pollCount;
        nextEvents.resolve();
      };
      const ofTenant = waiters.get(tenantId) ?? new Set();
      waiters.set(tenantId, ofTenant.add(wake));
      if (announcedBelow === null) polling.wake();
      return {
        next: async () => {
          await nextEvents.promise;
          nextEvents = Promise.withResolvers<void>();
          // The number of the latest poll. A read that began before this poll may lack the events that the poll found.
          return pollNumber;
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

// Postgres takes a statement's snapshot before it calls the statement's functions. So no event that the snapshot shows has a
// number above `lastIdAfter`.
const LAST_ID = "coalesce(pg_sequence_last_value('outbox_id_seq'), 0)::text";
const READ_SNAPSHOT = `
  select pg_snapshot_xmin(pg_current_snapshot())::text as xmin, ${LAST_ID} as "lastIdAfter"`;
const READ_LAST = `select ${LAST_ID} as "lastId", clock_timestamp()::text as at`;
// Assigns a transaction id. The `xmax` of a snapshot is too low: it follows the last transaction that has ended, and newer ones
// may be open. This statement comes last, because from then on its own transaction is an open one.
const READ_NEXT_XID = "select pg_current_xact_id()::text as xid";

const TENANTS_WITH_EVENTS = `
  select tenant_id from outbox where id > $1::bigint and xid >= $3::xid8 and xid < $4::xid8
  union
  select tenant_id from published_events
   where published_at >= $2::timestamptz and xid >= $3::xid8 and xid < $4::xid8`;
