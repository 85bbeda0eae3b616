// Starts deliveries that wait in Postgres and that no ending attempt starts: deliveries that were resumed or redriven, that a
// dead process left, whose jitter is over, or whose endpoint is down. Every process runs it, and skips rows of the others.
import { toStatement } from "@tradepost/postgres";
import { idleWait, type Logger, repeat } from "@tradepost/runtime";
import { failPoint } from "@tradepost/runtime/fail-point";
import { sql } from "kysely";
import type { Pool } from "pg";
import { CONSECUTIVE_FAILURES, RESTRAINT, WAITING_ENDPOINTS } from "../statement-parts.ts";
import type { StartedDelivery } from "./attempt/started-delivery.ts";
import type { EndpointState } from "./scheduler/endpoint-record.ts";
import type { Reservation, Scheduler } from "./scheduler/scheduler.ts";
import { claimRestrained } from "./settle/claim-restrained.ts";
import { claimWaiting } from "./settle/claim-waiting.ts";

export type AdmissionLoop = ReturnType<typeof startAdmissionLoop>;

// While attempts end, and after an error.
const LOOK_EVERY_MS = 1_000;
const WAIT_MIN_MS = 5;
// Searching takes at most a tenth of the time, however many endpoints have waiting deliveries.
const WAIT_PER_LOOK = 10;
const BATCH_ATTEMPTS_MAX = 100;
const ENDPOINTS_MAX = 100_000;

interface Options {
  pool: Pool;
  scheduler: Scheduler;
  lockMs: number;
  start: (started: readonly StartedDelivery[]) => void;
  logger: Logger;
}

export function startAdmissionLoop(options: Options) {
  const { pool, scheduler, logger } = options;
  const waitAfter = idleWait();
  /** Whether an attempt has ended, or a new delivery waits, since the last look. */
  let hasWork = false;
  let lookAt = 0;
  let lookNotBefore = 0;

  const loop = repeat(async (isStopping) => {
    try {
      const now = performance.now();
      if (now >= lookAt && now >= lookNotBefore) await look();
      while (!isStopping()) {
        const reserved = scheduler.next(BATCH_ATTEMPTS_MAX);
        if (reserved.length === 0) break;
        await claim(reserved, options);
      }
      const nextAt = Math.min(Math.max(lookAt, lookNotBefore), scheduler.wakeAt ?? Number.POSITIVE_INFINITY);
      return Math.max(WAIT_MIN_MS, nextAt - performance.now());
    } catch (error) {
      logger.warn({ err: error }, "waiting deliveries not started; retrying");
      lookAt = Math.min(lookAt, performance.now() + LOOK_EVERY_MS);
      return LOOK_EVERY_MS;
    }
  });

  async function look(): Promise<void> {
    const startedAt = performance.now();
    lookAt = startedAt + waitAfter(hasWork);
    hasWork = false;
    const { rows } = await pool.query<EndpointState & { dueInMs: number }>(FIND_WAITING);
    const now = performance.now();
    if (rows.length > 0) lookAt = Math.min(lookAt, startedAt + waitAfter(true));
    lookNotBefore = now + (now - startedAt) * WAIT_PER_LOOK;
    for (const { dueInMs, ...endpoint } of rows) {
      if (dueInMs <= 0) scheduler.addWaiting(endpoint);
      else lookAt = Math.min(lookAt, now + dueInMs);
    }
  }

  function wakeIn(ms: number): void {
    const at = performance.now() + Math.max(0, ms);
    if (at >= lookAt) return;
    lookAt = at;
    loop.wake();
  }

  return {
    wake: () => wakeIn(0),
    wakeIn,
    /** Starts deliveries that are known to wait, if attempts have become free. */
    run: () => {
      hasWork = true;
      wakeIn(LOOK_EVERY_MS);
      if (scheduler.hasWaiting) loop.wake();
    },
    stop: loop.stop,
  };
}

async function claim(
  reserved: readonly Reservation[],
  { pool, scheduler, lockMs, start }: Options,
): Promise<void> {
  const byClaim = Map.groupBy(reserved, ({ isRestrained }) =>
    isRestrained ? claimRestrained : claimWaiting,
  );
  const begin = (started: readonly StartedDelivery[]) => {
    if (started.length > 0) failPoint("admission-loop.claimed");
    start(started);
  };
  // Both claims finish before a failure is reported, so that no claimed delivery is forgotten.
  const results = await Promise.allSettled(
    [...byClaim].map(([claimSome, some]) => claimSome(pool, scheduler, some, lockMs).then(begin)),
  );
  for (const result of results) if (result.status === "rejected") throw result.reason;
}

// Skips from endpoint to endpoint in the index, so the cost grows with the endpoints, not with their waiting deliveries.
const FIND_WAITING = toStatement(sql`
  with recursive ${sql.raw(WAITING_ENDPOINTS)}
  select endpoint.tenant_id as "tenantId", endpoint.subscription_id as "subscriptionId", window_size as "windowSize",
         proven as "isProven", origin, "consecutiveFailures", "isRestrained", "heldForMs",
         extract(epoch from greatest(next_attempt_at, held_until) - now())::float * 1000 as "dueInMs"
    from endpoint
   cross join lateral (
     select window_size, proven, origin, ${sql.raw(CONSECUTIVE_FAILURES)} as "consecutiveFailures", ${sql.raw(RESTRAINT)}, held_until
       from endpoints
       join subscriptions on subscriptions.tenant_id = endpoints.tenant_id and subscriptions.id = subscription_id and active
                        and url is not null
      where endpoints.tenant_id = endpoint.tenant_id and endpoints.subscription_id = endpoint.subscription_id
      limit 1
   ) standing
   limit ${ENDPOINTS_MAX}`);
