// A job is the message of a delivery: what is needed to find it and to recognise a stale message.
import { type OutgoingMessage, queueExchange } from "@tradepost/messaging";
import { arrayParametersOf, arraysOf, columnsOf, namedStatement, type RowColumns } from "@tradepost/postgres";
import type { Pool } from "pg";
import { z } from "zod";
import { decode as decodeDeadLetter } from "./dead-letters.ts";

const jobSchema = z.object({
  delivery_id: z.uuid(),
  tenant_id: z.uuid(),
  generation: z.int().positive(),
  attempt: z.int().positive(),
});

export interface Job {
  readonly deliveryId: string;
  readonly tenantId: string;
  readonly generation: number;
  /** From 1. */
  readonly attempt: number;
}

export function decode(content: Buffer): Job | null {
  try {
    const { delivery_id, tenant_id, generation, attempt } = jobSchema.parse(
      JSON.parse(content.toString("utf8")),
    );
    return { deliveryId: delivery_id, tenantId: tenant_id, generation, attempt };
  } catch {
    return null;
  }
}

/** Mandatory: if the queue does not exist, the message counts as not published. */
export function messageOf(queue: string, job: Job): OutgoingMessage {
  return {
    exchange: queueExchange(queue),
    routingKey: queue,
    messageId: `${job.deliveryId}.${job.generation}.${job.attempt}`,
    type: "webhook.delivery",
    headers: { tenant_id: job.tenantId, attempt: job.attempt },
    mandatory: true,
    content: Buffer.from(
      JSON.stringify({
        delivery_id: job.deliveryId,
        tenant_id: job.tenantId,
        generation: job.generation,
        attempt: job.attempt,
      }),
    ),
  };
}

/** Returns why a message in webhooks.deliveries cannot be read, or null for a job or a dead letter moved by hand. */
export function faultOf(content: Buffer): string | null {
  const isReadable = decode(content) !== null || decodeDeadLetter(content) !== null;
  return isReadable ? null : "not a delivery: delivery_id, tenant_id, generation and attempt are expected";
}

/**
 * Makes the jobs' deliveries wait for admission. Skips stale jobs, whose delivery has ended, is paused or is claimed. Returns the time
 * in ms until the first delivery is due, or null if all jobs are stale.
 */
export async function requeue(pool: Pool, jobs: readonly Job[]): Promise<number | null> {
  const { rows } = await pool.query<{ dueInMs: number }>(makeWait(jobs));
  return rows.length === 0 ? null : Math.min(...rows.map(({ dueInMs }) => dueInMs));
}

export const jobColumns: RowColumns<Job> = {
  tenant_id: ["uuid", ({ tenantId }) => tenantId],
  id: ["uuid", ({ deliveryId }) => deliveryId],
  generation: ["integer", ({ generation }) => generation],
  attempt: ["integer", ({ attempt }) => attempt],
};

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
