// Finds deliveries and dead letters whose message the broker lost or never received, and publishes them again, as Postgres decides.
import type { Publisher } from "@tradepost/messaging";
import { type Logger, type Metrics, type Repetition, repeat } from "@tradepost/runtime";
import { failPoint } from "@tradepost/runtime/fail-point";
import type { Pool } from "pg";
import {
  DELIVERIES_QUEUE,
  type DeadLetterMessage,
  type Job,
  jobMessage,
  publishDeadLetter,
} from "../delivery/delivery.ts";

const SWEEP_EVERY_MS = 1_000;
// A dead letter whose message was lost is published again after at most this time.
const SWEEP_EVERY_MS_MAX = 5_000;
// How often to check for the broker. A new process may replace one that died, so its first sweep does not wait for a second.
const WHILE_DOWN_MS = 50;
const BATCH_DELIVERIES_MAX = 500;

/**
 * Starts the sweep. A delivery counts as lost `graceMs` after its time: until then its message may still wait in a long queue. A
 * second copy costs a lookup but never a second request, because `claim` locks. Replicas sweep at the same time and skip each
 * other's rows. Without open deliveries the next sweep comes only when a delivery that starts now could be lost.
 */
export function startSweep(options: {
  pool: Pool;
  publisher: Publisher;
  graceMs: number;
  /** How long a claim lasts, in ms. */
  lockMs: number;
  logger: Logger;
  metrics: Metrics;
}): Pick<Repetition, "stop"> {
  const { pool, publisher, graceMs, lockMs, logger } = options;
  const lostAfterMs = Math.max(SWEEP_EVERY_MS, Math.min(graceMs, lockMs, SWEEP_EVERY_MS_MAX));
  const swept = options.metrics.counter(
    "webhooks_swept_total",
    "Deliveries that the sweep put back on the broker.",
  );
  const sweeping = repeat(async () => {
    if (!publisher.isUp()) return WHILE_DOWN_MS;
    return await sweepOnce();
  });

  /** Returns the time in ms until the next sweep. */
  async function sweepOnce(): Promise<number> {
    try {
      // Usually there is nothing to do, which this one statement finds out.
      const { rows: states } = await pool.query<State>(STATE, [graceMs]);
      const [{ isNeeded, hasOpen } = { isNeeded: false, hasOpen: true }] = states;
      if (!isNeeded) return hasOpen ? SWEEP_EVERY_MS : lostAfterMs;
      const { rowCount: requeued } = await pool.query(REQUEUE_OVERDUE, [graceMs]);
      const { rows: jobs } = await pool.query<Job>(CLAIM_LOST, [graceMs]);
      if (jobs.length > 0) failPoint("sweep.claimed");
      // A job that the broker does not confirm is published again by a later sweep.
      await Promise.all(jobs.map((job) => publisher.publish(jobMessage(DELIVERIES_QUEUE, job))));
      const { rows: dead } = await pool.query<DeadLetterMessage>(FIND_UNPUBLISHED_DEAD_LETTERS);
      await Promise.all(dead.map((one) => publishDeadLetter(pool, publisher, one)));
      const count = Math.max(jobs.length, requeued ?? 0);
      swept.inc(jobs.length + (requeued ?? 0));
      if (count > 0) logger.info({ queued: jobs.length, delayed: requeued }, "lost messages replaced");
      return count === BATCH_DELIVERIES_MAX ? 0 : SWEEP_EVERY_MS;
    } catch (error) {
      logger.warn({ err: error }, "sweep failed; retrying");
      return SWEEP_EVERY_MS;
    }
  }

  return { stop: sweeping.stop };
}

// The message is overdue by the grace, or the process that made the attempt has died.
const LOST = `queue_state = 'queued' and status in ('pending', 'retrying')
       and case when locked_until is null then enqueued_at < now() - $1 * interval '1 ms' else locked_until < now() end`;

const CLAIM_LOST = `
  with lost as (
    select ctid as tid from deliveries
     where ${LOST}
     order by tenant_id, id
     limit ${BATCH_DELIVERIES_MAX}
       for no key update skip locked
  )
  update deliveries set enqueued_at = now(), locked_until = null
    from lost
   where deliveries.ctid = lost.tid
  returning deliveries.tenant_id as "tenantId", deliveries.id as "deliveryId", deliveries.generation,
            deliveries.attempt_count + 1 as attempt`;

const overdue = (condition: string) => `${condition} and status in ('pending', 'retrying')
       and next_attempt_at < now() - $1 * interval '1 ms' and (locked_until is null or locked_until < now())`;
const DELAYED = overdue("queue_state = 'delayed'");
const WITHOUT_STATE = overdue("queue_state is null");

const overdueWhere = (condition: string) => `
    select ctid as tid from deliveries
     where ${condition}
     order by next_attempt_at
     limit ${BATCH_DELIVERIES_MAX}
       for no key update skip locked`;

// Either the message in a retry queue is overdue by the grace, or the row has no queue state. Both now wait for their turn. Each
// kind is read in the order of its index: one query for both would sort all retries for every batch after the broker lost its data.
// The order of the locks does not matter, because locked rows are skipped.
const REQUEUE_OVERDUE = `
  with delayed as (${overdueWhere(DELAYED)}
  ), without_state as (${overdueWhere(WITHOUT_STATE)}
  ), overdue as (
    select * from delayed union all select * from without_state
  )
  update deliveries set queue_state = 'waiting', locked_until = null
    from overdue
   where deliveries.ctid = overdue.tid`;

// The 10 seconds leave time for the process that settled the last attempt to publish it.
const UNPUBLISHED = "published_at is null and failed_at < now() - interval '10 seconds'";

const FIND_UNPUBLISHED_DEAD_LETTERS = `
  select tenant_id as "tenantId", delivery_id as "deliveryId", subscription_id as "subscriptionId",
         event_id as "eventId", type, generation, attempts as attempt, failed_at as "failedAt", reason
    from dead_letters
   where ${UNPUBLISHED}
   order by failed_at
   limit 100`;

interface State {
  readonly isNeeded: boolean;
  readonly hasOpen: boolean;
}

const STATE = `
  select exists (select from deliveries) as "hasOpen",
         exists (select from deliveries where ${LOST})
         or exists (select from deliveries where ${DELAYED})
         or exists (select from deliveries where ${WITHOUT_STATE})
         or exists (select from dead_letters where ${UNPUBLISHED}) as "isNeeded"`;
