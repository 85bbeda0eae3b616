// Leases deliveries to the clients of listeners, which may wait for the first one (interface §12). A request that waits holds no
// connection to the database: fan-out wakes it in its own process, and one query a second, for all that wait, finds what other
// replicas inserted and what has become due.

import type { Socket } from "node:net";
import { endOfWait } from "@tradepost/http";
import { type TransactionalTenant, tenantOf } from "@tradepost/postgres";
import { type Logger, type Metrics, repeat, sleep } from "@tradepost/runtime";
import type { Kysely } from "kysely";
import type { Pool } from "pg";
import type { Sealing } from "../sealing/sealing.ts";
import type { Reconciliations } from "../subscriptions/subscriptions.ts";
import type { Tables } from "../tables.ts";
import { type Lease, type LeasedDelivery, type ListenerId, leaseDeliveries } from "./lease-deliveries.ts";
import { resumeListener } from "./listener-store.ts";

export interface Leases {
  /** Returns null if the tenant has no such listener. An empty list after the wait, or if its client has gone. */
  lease(
    id: ListenerId,
    wanted: { limit: number; waitSeconds: number },
    socket: Socket,
  ): Promise<LeasedDelivery[] | null>;
  /** These listeners have deliveries to lease. */
  wake(listenerIds: readonly string[]): void;
  /** Ends all waits, also later ones, so that they do not delay the stop of the server. */
  endWaits(): void;
  stop(): Promise<void>;
}

const LOOK_EVERY_MS = 1_000;
const LOOK_PAUSE_MS_MIN = 20;
// The least time between two tries of a request that was woken and found nothing, because others took it or because the listener
// has leased as much as it may.
const TRY_AGAIN_AFTER_MS = 50;

interface Waiter {
  readonly id: ListenerId;
  wake(): void;
}

export function startLeases(options: {
  pool: Pool;
  db: Kysely<Tables>;
  reconciliations: Pick<Reconciliations, "run">;
  sealing: Sealing;
  leaseMs: number;
  metrics: Metrics;
  logger: Logger;
}): Leases {
  const { pool, db, reconciliations, sealing, leaseMs, logger } = options;
  const waiters = new Map<string, Set<Waiter>>();
  const stopping = new AbortController();
  options.metrics.gauge(
    "lease_requests_waiting",
    "Requests that wait for a delivery to lease.",
    [],
    (gauge) => gauge.set([...waiters.values()].reduce((sum, { size }) => sum + size, 0)),
  );

  const looking = repeat(async () => {
    if (waiters.size === 0) return LOOK_EVERY_MS;
    try {
      return await look();
    } catch (error) {
      logger.warn({ err: error }, "could not look for deliveries to lease; retrying");
      return LOOK_EVERY_MS;
    }
  });

  /** Returns the time in ms until the next look. */
  async function look(): Promise<number> {
    const ids = [...waiters.values()].flatMap(([waiter]) => (waiter === undefined ? [] : [waiter.id]));
    const { rows } = await pool.query<{ listenerId: string; dueInMs: number }>(FIND_DUE, [
      ids.map(({ tenantId }) => tenantId),
      ids.map(({ listenerId }) => listenerId),
    ]);
    wake(rows.filter(({ dueInMs }) => dueInMs <= 0).map(({ listenerId }) => listenerId));
    const later = rows.map(({ dueInMs }) => dueInMs).filter((ms) => ms > 0);
    return Math.max(LOOK_PAUSE_MS_MIN, Math.min(LOOK_EVERY_MS, ...later));
  }

  /** Of several requests that wait at a listener, one is woken. It passes the turn on if it was served or has gone. */
  function wake(listenerIds: readonly string[]): void {
    for (const id of listenerIds) {
      const [first] = waiters.get(id) ?? [];
      first?.wake();
    }
  }

  /** `next` resolves once the listener was woken since the last call, or since `watch`, or in `dueInMs`. */
  function watch(id: ListenerId) {
    const { listenerId } = id;
    let woken = Promise.withResolvers<void>();
    let hasTurn = false;
    let dueTimer: NodeJS.Timeout | undefined;
    const waiter: Waiter = {
      id,
      wake: () => {
        hasTurn = true;
        woken.resolve();
      },
    };
    const ofListener = waiters.get(listenerId) ?? new Set();
    waiters.set(listenerId, ofListener.add(waiter));
    return {
      next: async (dueInMs: number | null) => {
        if (dueInMs !== null && dueInMs <= LOOK_EVERY_MS) dueTimer = setTimeout(waiter.wake, dueInMs);
        await woken.promise;
        clearTimeout(dueTimer);
        hasTurn = false;
        woken = Promise.withResolvers();
      },
      pass: () => {
        hasTurn = true;
      },
      stop: () => {
        clearTimeout(dueTimer);
        ofListener.delete(waiter);
        if (ofListener.size === 0) waiters.delete(listenerId);
        if (hasTurn) wake([listenerId]);
      },
    };
  }

  /** Resumes the listener if it has expired. */
  async function leaseNow(id: ListenerId, limit: number): Promise<Lease | null> {
    for (;;) {
      const lease = await leaseDeliveries(pool, id, { limit, leaseMs, sealing });
      if (lease !== null) return lease;
      if (!(await resume(tenantOf(db, id.tenantId), id))) return null;
    }
  }

  /** Returns false if there is no such listener. */
  async function resume(
    tenant: TransactionalTenant<Tables>,
    { tenantId, listenerId }: ListenerId,
  ): Promise<boolean> {
    const wasResumed = await tenant.transaction((tx) => resumeListener(tx, listenerId));
    if (wasResumed) await reconciliations.run({ tenantId, subscriptionId: listenerId });
    return wasResumed !== null;
  }

  return {
    lease: async (id, { limit, waitSeconds }, socket) => {
      if (waitSeconds === 0) return (await leaseNow(id, limit))?.leased ?? null;
      // It watches before the first try: whatever that does not find wakes it.
      const watched = watch(id);
      const end = endOfWait(waitSeconds * 1_000, socket, stopping.signal);
      try {
        for (let tries = 1; ; tries += 1) {
          const lease = await leaseNow(id, limit);
          if (lease === null) return null;
          if (lease.leased.length > 0) {
            // There may be more for the next one that waits.
            watched.pass();
            return lease.leased;
          }
          if (tries > 1) await Promise.race([sleep(TRY_AGAIN_AFTER_MS), end.reached]);
          await Promise.race([watched.next(lease.nextDueInMs), end.reached]);
          // Nothing is leased for a client that has gone.
          if (end.isReached()) return [];
        }
      } finally {
        end.release();
        watched.stop();
      }
    },
    wake,
    endWaits: () => stopping.abort(),
    stop: () => looking.stop(),
  };
}

// Of each listener the delivery that is due first and not leased.
const FIND_DUE = `
  select listener.id as "listenerId", extract(epoch from next_attempt_at - now())::float * 1000 as "dueInMs"
    from unnest($1::uuid[], $2::uuid[]) as listener (tenant_id, id)
   cross join lateral (
     select next_attempt_at from deliveries
      where deliveries.tenant_id = listener.tenant_id and deliveries.subscription_id = listener.id
        and queue_state = 'waiting' and status in ('pending', 'retrying')
        and (locked_until is null or locked_until < now())
      order by next_attempt_at, deliveries.id
      limit 1
   ) first`;
