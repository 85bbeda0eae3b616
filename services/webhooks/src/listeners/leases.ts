// Leases deliveries to the clients of listeners, which may wait for the first one (interface §12). A waiting request holds no
// connection: fan-out wakes it in its own process, and one query a second for all of them finds deliveries that other replicas
// inserted or that have become due.
import type { Socket } from "node:net";
import { endOfWait } from "@tradepost/http";
import { type RowColumns, rowsAs, tenantOf, toStatement } from "@tradepost/postgres";
import { type Logger, type Metrics, repeatOnDemand, sleep } from "@tradepost/runtime";
import { type Kysely, sql } from "kysely";
import type { Pool } from "pg";
import type { Sealing } from "../endpoint/endpoint.ts";
import { IN_TURN } from "../statement-parts.ts";
import type { Reconciliations } from "../subscriptions/subscriptions.ts";
import type { Tables } from "../tables.ts";
import { type Lease, type ListenerId, leaseDeliveries } from "./lease-deliveries.ts";
import type { LeaseWaiters } from "./lease-waiters.ts";
import { resumeListener } from "./listener-store.ts";

export type Leases = ReturnType<typeof startLeases>;

const LOOK_EVERY_MS = 1_000;
const LOOK_PAUSE_MS_MIN = 20;
// The least time between two tries of a request that was woken and found nothing.
const TRY_AGAIN_AFTER_MS = 50;

interface Leasing {
  pool: Pool;
  db: Kysely<Tables>;
  reconciliations: Pick<Reconciliations, "run">;
  sealing: Sealing;
  more: readonly string[];
  leaseMs: number;
}

export function startLeases(options: Leasing & { waiters: LeaseWaiters; metrics: Metrics; logger: Logger }) {
  const { pool, waiters, metrics, logger } = options;
  const stopping = new AbortController();
  metrics.gauge("lease_requests_waiting", "Requests that wait for a delivery to lease.", [], (gauge) =>
    gauge.set(waiters.count),
  );
  const warning = "could not look for deliveries to lease; retrying";
  const looking = repeatOnDemand(logger, warning, LOOK_EVERY_MS, {
    hasWork: () => waiters.count > 0,
    run: () => wakeDue(pool, waiters),
  });
  return {
    /** Returns null without such a listener, and `[]` after the wait, or if the client has gone. */
    lease: async (
      id: ListenerId,
      { limit, waitSeconds }: { limit: number; waitSeconds: number },
      socket: Socket,
    ): Promise<Lease["leased"] | null> => {
      if (waitSeconds === 0) return (await leaseNow(options, id, limit))?.leased ?? null;
      // Before the first try, so that a delivery which the try misses wakes the request.
      const watched = waiters.watch(id);
      looking.begin();
      const end = endOfWait(waitSeconds * 1_000, socket, stopping.signal);
      try {
        for (let tries = 1; ; tries += 1) {
          const lease = await leaseNow(options, id, limit);
          if (lease === null) return null;
          if (lease.leased.length > 0) {
            watched.pass();
            return lease.leased;
          }
          if (tries > 1) await Promise.race([sleep(TRY_AGAIN_AFTER_MS), end.reached]);
          await Promise.race([watched.next(beforeNextLook(lease)), end.reached]);
          if (end.isReached()) return [];
        }
      } finally {
        end.release();
        watched.stop();
      }
    },
    /** Also ends waits that begin later, so that they do not delay the server's stop. */
    endWaits: () => stopping.abort(),
    stop: () => looking.stop(),
  };
}

/** Returns null if the periodic query finds the next due delivery in time. */
function beforeNextLook({ nextDueInMs }: Lease): number | null {
  return nextDueInMs !== null && nextDueInMs <= LOOK_EVERY_MS ? nextDueInMs : null;
}

/** Returns the time in ms until the next query. */
async function wakeDue(pool: Pool, waiters: LeaseWaiters): Promise<number> {
  // For each listener, the first due delivery that is not leased.
  const { rows } = await pool.query<{ listenerId: string; dueInMs: number }>(
    toStatement(sql`
      select listener.id as "listenerId", extract(epoch from next_attempt_at - now())::float * 1000 as "dueInMs"
        from ${rowsAs("listener", idColumns, waiters.listeners())}
       cross join lateral (
         select next_attempt_at from deliveries
          where deliveries.tenant_id = listener.tenant_id and deliveries.subscription_id = listener.id
            and queue_state = 'waiting' and status in ('pending', 'retrying')
            and (locked_until is null or locked_until < now())
          order by ${sql.raw(IN_TURN)}
          limit 1
       ) first`),
  );
  waiters.wake(rows.filter(({ dueInMs }) => dueInMs <= 0).map(({ listenerId }) => listenerId));
  const later = rows.map(({ dueInMs }) => dueInMs).filter((ms) => ms > 0);
  return Math.max(LOOK_PAUSE_MS_MIN, Math.min(LOOK_EVERY_MS, ...later));
}

/** Resumes the listener if it has expired. */
async function leaseNow(
  { pool, db, reconciliations, sealing, more, leaseMs }: Leasing,
  id: ListenerId,
  limit: number,
): Promise<Lease | null> {
  const { tenantId, listenerId } = id;
  for (;;) {
    const lease = await leaseDeliveries(pool, id, { limit, leaseMs, sealing, more });
    if (lease !== null) return lease;
    const wasResumed = await tenantOf(db, tenantId).transaction((tx) => resumeListener(tx, listenerId));
    if (wasResumed === null) return null;
    if (wasResumed) await reconciliations.run({ tenantId, subscriptionId: listenerId });
  }
}

const idColumns: RowColumns<ListenerId> = {
  tenant_id: ["uuid", ({ tenantId }) => tenantId],
  id: ["uuid", ({ listenerId }) => listenerId],
};
