// Handles `webhooks.deliveries`: retries whose wait has ended, and deliveries that the sweep published. It returns them to Postgres,
// where they wait for the rest of their jitter and for their endpoint's turn.
import type { ConsumeResult, IncomingMessage } from "@tradepost/messaging";
import { arrayParametersOf, arraysOf, columnsOf, namedStatement, type RowColumns } from "@tradepost/postgres";
import { batch, type Logger } from "@tradepost/runtime";
import { failPoint } from "@tradepost/runtime/fail-point";
import type { Pool } from "pg";
import { decodeDeadLetterMessage, decodeJob, type Job } from "../delivery/delivery.ts";
import type { AdmissionLoop } from "./admission-loop.ts";

export function jobHandler(options: {
  requeue: (job: Job) => Promise<void>;
  redrive: (filter: { delivery: string }) => Promise<{ redriven: number }>;
  logger: Logger;
}) {
  const { requeue, redrive, logger } = options;
  return async (message: IncomingMessage): Promise<ConsumeResult> => {
    const job = decodeJob(message.content);
    if (job !== null) {
      await requeue(job);
      failPoint("dispatch.requeued");
      return "ack";
    }
    const deadLetter = decodeDeadLetterMessage(message.content);
    if (deadLetter !== null) {
      // An operator moved it here from webhooks.dead to have it sent again.
      const { redriven } = await redrive({ delivery: deadLetter.deliveryId });
      logger.info({ ...deadLetter, redriven }, "dead letter moved by hand");
      return "ack";
    }
    logger.error({ messageId: message.messageId }, "delivery job is unreadable");
    return "reject";
  };
}

const BATCH_JOBS_MAX = 200;
// If a batch waits longer for a locked row, the next batch starts without waiting for it.
const MAX_WAIT_MS = 50;

/** Ignores a stale job, whose delivery has ended, is paused or is claimed. */
export function createRequeue(pool: Pool, admissionLoop: Pick<AdmissionLoop, "wakeIn">) {
  return batch<Job, void>({
    itemsMax: BATCH_JOBS_MAX,
    maxWaitMs: MAX_WAIT_MS,
    work: async (jobs) => {
      const { rows } = await pool.query<{ dueInMs: number }>(makeWait(jobs));
      if (rows.length > 0) {
        failPoint("requeue.committed");
        admissionLoop.wakeIn(Math.min(...rows.map(({ dueInMs }) => dueInMs)));
      }
      return jobs.map(() => undefined);
    },
  });
}

const jobColumns: RowColumns<Job> = {
  tenant_id: ["uuid", ({ tenantId }) => tenantId],
  id: ["uuid", ({ deliveryId }) => deliveryId],
  generation: ["integer", ({ generation }) => generation],
  attempt: ["integer", ({ attempt }) => attempt],
};

// Rows are locked in the order of their ids, as everywhere: another order would deadlock.
const makeWait = namedStatement<readonly Job[]>(
  `
  with due as (
    select delivery.tid
      from (select * from unnest(${arrayParametersOf("job", jobColumns)}) as job (${columnsOf(jobColumns)})
             order by tenant_id, id) as job
     cross join lateral (
       select ctid as tid from deliveries
        where deliveries.tenant_id = job.tenant_id and deliveries.id = job.id
          and deliveries.generation = job.generation and deliveries.attempt_count = job.attempt - 1
          and (status = 'retrying' and queue_state = 'delayed'
               or status in ('pending', 'retrying') and queue_state = 'queued'
                  and (locked_until is null or locked_until < now()))
        limit 1
          for no key update
     ) delivery
  )
  update deliveries set queue_state = 'waiting', locked_until = null
    from due
   where deliveries.ctid = due.tid
  returning extract(epoch from deliveries.next_attempt_at - now())::float * 1000 as "dueInMs"`,
  { job: arraysOf(jobColumns, (jobs: readonly Job[]) => jobs) },
);
