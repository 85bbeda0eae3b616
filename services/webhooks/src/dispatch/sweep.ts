// Puts back on the broker what the broker lost, or never had: Postgres holds the truth about what is due.
import type { Publisher } from "@tradepost/messaging";
import { type Logger, type Metrics, type Repetition, repeat } from "@tradepost/runtime";
import { failPoint } from "@tradepost/runtime/fail-point";
import type { Pool } from "pg";
import type { DeadLetterMessage } from "../delivery/dead-letter-message.ts";
import { type Job, jobMessage } from "../delivery/job.ts";
import { DELIVERIES_QUEUE } from "../topology.ts";
import { publishDeadLetter } from "./publish-dead-letter.ts";

const SWEEP_EVERY_MS = 1_000;
const BATCH_DELIVERIES_MAX = 500;

/**
 * In: `graceMs`, how long past its time a delivery may be before its message counts as lost. The grace is there
 * because a message may merely wait its turn in a long queue; a second copy costs a look-up and never a second
 * request, since `take` locks. Replicas sweep side by side and skip what another has in hand.
 */
export function startSweep(options: {
  pool: Pool;
  publisher: Publisher;
  graceMs: number;
  logger: Logger;
  metrics: Metrics;
}): Pick<Repetition, "stop"> {
  const { pool, publisher, graceMs, logger } = options;
  const swept = options.metrics.counter(
    "webhooks_swept_total",
    "Deliveries that the sweep put back on the broker.",
  );
  const sweeping = repeat(async () => {
    const count = await sweepOnce();
    return count === BATCH_DELIVERIES_MAX ? 0 : SWEEP_EVERY_MS;
  });

  async function sweepOnce(): Promise<number> {
    if (!publisher.isUp()) return 0;
    try {
      const { rowCount: adopted } = await pool.query(ADOPT_OVERDUE, [graceMs]);
      const { rows: jobs } = await pool.query<Job>(CLAIM_LOST, [graceMs]);
      if (jobs.length > 0) failPoint("sweep.claimed");
      await Promise.all(jobs.map((job) => publisher.publish(jobMessage(DELIVERIES_QUEUE, job))));
      const { rows: dead } = await pool.query<DeadLetterMessage>(FIND_UNPUBLISHED_DEAD_LETTERS);
      await Promise.all(dead.map((one) => publishDeadLetter(pool, publisher, one)));
      const count = Math.max(jobs.length, adopted ?? 0);
      swept.inc(jobs.length + (adopted ?? 0));
      if (count > 0) logger.info({ queued: jobs.length, delayed: adopted }, "lost messages replaced");
      return count;
    } catch (error) {
      logger.warn({ err: error }, "sweep failed; trying again");
      return 0;
    }
  }

  return { stop: sweeping.stop };
}

// The message of an attempt to come is overdue by the grace, or whoever made the attempt died.
const CLAIM_LOST = `
  with lost as (
    select tenant_id, id from deliveries
     where queue_state = 'queued' and status in ('pending', 'retrying')
       and case when locked_until is null then enqueued_at < now() - $1 * interval '1 ms' else locked_until < now() end
     order by tenant_id, id
     limit ${BATCH_DELIVERIES_MAX}
       for no key update skip locked
  )
  update deliveries set enqueued_at = now(), locked_until = null
    from lost
   where deliveries.tenant_id = lost.tenant_id and deliveries.id = lost.id
  returning deliveries.tenant_id as "tenantId", deliveries.id as "deliveryId", deliveries.generation,
            deliveries.attempt_count + 1 as attempt`;

const overdueAt = (condition: string) => `
    select tenant_id, id from deliveries
     where ${condition} and status in ('pending', 'retrying')
       and next_attempt_at < now() - $1 * interval '1 ms' and (locked_until is null or locked_until < now())
     order by next_attempt_at
     limit ${BATCH_DELIVERIES_MAX}
       for no key update skip locked`;

// The message in a retry queue is overdue by the grace; or a version that knows of no places left the delivery without
// one. They wait from now on like any other. Each kind in the order of its index: the whole of a wiped broker's retries
// would otherwise be sorted for every batch. Locks that are never waited for need no order.
const ADOPT_OVERDUE = `
  with delayed as (${overdueAt("queue_state = 'delayed'")}
  ), strays as (${overdueAt("queue_state is null")}
  ), overdue as (
    select * from delayed union all select * from strays
  )
  update deliveries set queue_state = 'waiting', locked_until = null
    from overdue
   where deliveries.tenant_id = overdue.tenant_id and deliveries.id = overdue.id`;

// The margin leaves time to whoever settled the last attempt to lay it there.
const FIND_UNPUBLISHED_DEAD_LETTERS = `
  select tenant_id as "tenantId", delivery_id as "deliveryId", subscription_id as "subscriptionId",
         event_id as "eventId", type, generation, attempts as attempt, failed_at as "failedAt", reason
    from dead_letters
   where published_at is null and failed_at < now() - interval '10 seconds'
   order by failed_at
   limit 100`;
