// Wakes waiting requests when their tenant may have new events. One connection polls the database for all of them, and only while a
// request waits.
import {
  ALWAYS_IN_INDEX_ORDER,
  connectPostgres,
  type PostgresOptions,
  queryTogether,
} from "@tradepost/postgres";
import { repeat } from "@tradepost/runtime";
import type { Pool } from "pg";
import { startAdoptingRestored } from "./restores.ts";

export interface Waiter {
  /** Resolves, with the poll's number, once the tenant may have events that the previous call, or `watch`, did not see. */
  next(): Promise<number>;
  stop(): void;
}

const POLL_EVERY_MS = 50;
const RETRY_EVERY_MS = 500;
const IDLE_MS = 60_000;

/** The role must see the events of all tenants. */
export function watchCommits(options: Omit<PostgresOptions, "connectionsMax" | "settings">) {
  const { pool, stop: stopPool } = connectPostgres({
    ...options,
    connectionsMax: 1,
    settings: ALWAYS_IN_INDEX_ORDER,
  });
  const adopting = startAdoptingRestored(pool, options.logger);
  const waiters = new Map<string, Set<() => void>>();
  let pollCount = 0;
  const wakeTenant = (tenantId: string) => {
    for (const wake of waiters.get(tenantId) ?? []) wake();
  };
  const announcer = createAnnouncer(pool, wakeTenant, () => {
    for (const tenantId of waiters.keys()) wakeTenant(tenantId);
  });

  const polling = repeat(async () => {
    if (waiters.size === 0) {
      announcer.pause();
      return IDLE_MS;
    }
    try {
      pollCount += 1;
      await announcer.poll();
      return POLL_EVERY_MS;
    } catch (error) {
      options.logger.warn({ err: error }, "the database could not be asked for new events; retrying");
      announcer.pause();
      return RETRY_EVERY_MS;
    }
  });

  return {
    watch: (tenantId: string): Waiter => {
      let nextEvents = Promise.withResolvers<void>();
      let pollNumber = 0;
      const wake = () => {
        pollNumber = pollCount;
        nextEvents.resolve();
      };
      const ofTenant = waiters.get(tenantId) ?? new Set();
      waiters.set(tenantId, ofTenant.add(wake));
      if (announcer.isPaused()) polling.wake();
      return {
        next: async () => {
          await nextEvents.promise;
          nextEvents = Promise.withResolvers<void>();
          // A read that began before this poll may lack the events that the poll found.
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

function createAnnouncer(pool: Pool, wakeTenant: (tenantId: string) => void, wakeAll: () => void) {
  /** Null while no request waits, and after a failed poll. */
  let announcedBelow: bigint | null = null;
  let marks: readonly Mark[] = [];
  return {
    isPaused: () => announcedBelow === null,
    pause: () => {
      announcedBelow = null;
    },
    poll: async () => {
      const { mark, xmin, lastIdAfter } = await readMark(pool);
      if (announcedBelow === null) {
        // Events may have been committed since the last poll.
        announcedBelow = xmin;
        marks = [mark];
        return wakeAll();
      }
      marks = withMark(marksFrom(marks, announcedBelow), mark);
      if (xmin <= announcedBelow) return;
      const from = marks[0] ?? mark;
      if (from.xmax > announcedBelow) {
        // Transactions that were open when the watch began have ended. Their events may lie before the first mark.
        wakeAll();
      } else if (from.lastId !== lastIdAfter) {
        const values = [from.lastId, from.at, String(announcedBelow), String(xmin)];
        const { rows } = await pool.query<{ tenant_id: string }>(TENANTS_WITH_EVENTS, values);
        for (const { tenant_id } of rows) wakeTenant(tenant_id);
      }
      announcedBelow = xmin;
    },
  };
}

async function readMark(pool: Pool): Promise<{ mark: Mark; xmin: bigint; lastIdAfter: string }> {
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

// Postgres takes a statement's snapshot before it calls its functions, so no event that it shows has a number above
// `lastIdAfter`.
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

// A mark is a statement about all transactions with an id of `xmax` or more: they began after the mark was taken, their events
// have numbers above `lastId`, and those events are published later than `at`. To find the events of transactions from `xid` on,
// read from the latest mark whose `xmax` is at most `xid`. This holds however long the transactions stay open.

interface Mark {
  /** When the mark was taken, no transaction from this id on had written anything. */
  readonly xmax: bigint;
  /** The last number of an event in the outbox, read before `xmax`. */
  readonly lastId: string;
  /** Read before `xmax`. */
  readonly at: string;
}

// A transaction open for hours would add a mark at every poll. Without the later marks, only the range that is read at its end
// grows.
const MARKS_MAX = 1_000;

/** Returns the marks that are needed for transactions from `xid` on, whose events come after the first mark. */
export function marksFrom(marks: readonly Mark[], xid: bigint): readonly Mark[] {
  const first = marks.findLastIndex(({ xmax }) => xmax <= xid);
  return first === -1 ? marks : marks.slice(first);
}

export function withMark(marks: readonly Mark[], mark: Mark): readonly Mark[] {
  return marks.length < MARKS_MAX ? [...marks, mark] : marks;
}
