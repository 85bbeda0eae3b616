// Finds deliveries and dead letters whose message the broker lost or never received, and publishes them again, as Postgres decides.
import type { Publisher } from "@tradepost/messaging";
import { toStatement } from "@tradepost/postgres";
import { type Logger, type Metrics, type Repetition, repeatOrWarn } from "@tradepost/runtime";
import { failPoint } from "@tradepost/runtime/fail-point";
import { type RawBuilder, sql } from "kysely";
import type { Pool } from "pg";
import { type DeadLetterMessage, type Job, jobMessage, publishDeadLetter } from "../delivery/delivery.ts";
import { DELIVERIES_QUEUE } from "../topology.ts";

const SWEEP_EVERY_MS = 1_000;
// A dead letter whose message was lost is published again after at most this time.
const SWEEP_EVERY_MS_MAX = 5_000;
// A new process may replace one that died, so its first sweep does not wait for a second.
const WHILE_DOWN_MS = 50;
const BATCH_DELIVERIES_MAX = 500;

/**
 * A delivery counts as lost `graceMs` after its time: until then its message may still wait in a long queue. A second copy costs a
 * lookup but never a second request, because claims lock. Replicas skip each other's rows. Without open deliveries the next sweep
 * comes only when a delivery that starts now could be lost.
 */
export function startSweep(options: {
  pool: Pool;
  publisher: Publisher;
  graceMs: number;
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
  return repeatOrWarn(logger, "sweep failed; retrying", SWEEP_EVERY_MS, async () => {
    if (!publisher.isUp()) return WHILE_DOWN_MS;
    // Usually there is nothing to do, which this one statement finds out.
    const { rows: states } = await pool.query<State>(readState(graceMs));
    const [{ isNeeded, hasOpen } = { isNeeded: false, hasOpen: true }] = states;
    if (!isNeeded) return hasOpen ? SWEEP_EVERY_MS : lostAfterMs;
    const { rowCount: requeued } = await pool.query(requeueOverdue(graceMs));
    const { rows: jobs } = await pool.query<Job>(claimLost(graceMs));
    if (jobs.length > 0) failPoint("sweep.claimed");
    // A job that the broker does not confirm is published again by a later sweep.
    await Promise.all(jobs.map((job) => publisher.publish(jobMessage(DELIVERIES_QUEUE, job))));
    const { rows: dead } = await pool.query<DeadLetterMessage>(FIND_UNPUBLISHED_DEAD_LETTERS);
    await Promise.all(dead.map((one) => publishDeadLetter(pool, publisher, one)));
    const count = Math.max(jobs.length, requeued ?? 0);
    swept.inc(jobs.length + (requeued ?? 0));
    if (count > 0) logger.info({ queued: jobs.length, delayed: requeued }, "lost messages replaced");
    return count === BATCH_DELIVERIES_MAX ? 0 : SWEEP_EVERY_MS;
  });
}

// The message is overdue by the grace, or the process that made the attempt has died.
const lost = (graceMs: number) => sql`queue_state = 'queued' and status in ('pending', 'retrying')
       and case when locked_until is null then enqueued_at < now() - ${graceMs} * interval '1 ms' else locked_until < now() end`;

const claimLost = (graceMs: number) =>
  toStatement(sql`
  with lost as (
    select ctid as tid from deliveries
     where ${lost(graceMs)}
     order by tenant_id, id
     limit ${sql.lit(BATCH_DELIVERIES_MAX)}
       for no key update skip locked
  )
  update deliveries set enqueued_at = now(), locked_until = null
    from lost
   where deliveries.ctid = lost.tid
  returning deliveries.tenant_id as "tenantId", deliveries.id as "deliveryId", deliveries.generation,
            deliveries.attempt_count + 1 as attempt`);

const overdue = (graceMs: number) => sql`status in ('pending', 'retrying')
       and next_attempt_at < now() - ${graceMs} * interval '1 ms' and (locked_until is null or locked_until < now())`;
const delayed = (graceMs: number) => sql`queue_state = 'delayed' and ${overdue(graceMs)}`;
const withoutState = (graceMs: number) => sql`queue_state is null and ${overdue(graceMs)}`;

const someOf = (condition: RawBuilder<unknown>) => sql`
    select ctid as tid from deliveries
     where ${condition}
     order by next_attempt_at
     limit ${sql.lit(BATCH_DELIVERIES_MAX)}
       for no key update skip locked`;

// The message in a retry queue is overdue, or the row has no queue state. Each kind is read in the order of its index: one query for
// both would sort all retries for every batch after the broker lost its data.
const requeueOverdue = (graceMs: number) =>
  toStatement(sql`
  with delayed as (${someOf(delayed(graceMs))}
  ), without_state as (${someOf(withoutState(graceMs))}
  ), overdue as (
    select * from delayed union all select * from without_state
  )
  update deliveries set queue_state = 'waiting', locked_until = null
    from overdue
   where deliveries.ctid = overdue.tid`);

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

const readState = (graceMs: number) =>
  toStatement(sql`
  select exists (select from deliveries) as "hasOpen",
         exists (select from deliveries where ${lost(graceMs)})
         or exists (select from deliveries where ${delayed(graceMs)})
         or exists (select from deliveries where ${withoutState(graceMs)})
         or exists (select from dead_letters where ${sql.raw(UNPUBLISHED)}) as "isNeeded"`);
