// The statements of the sweep (`sweep.ts`).
import { toStatement } from "@tradepost/postgres";
import { type RawBuilder, sql } from "kysely";
import type { Pool } from "pg";
import type { Message } from "./dead-letters.ts";
import type { Job } from "./jobs.ts";

export async function readState(pool: Pool, graceMs: number) {
  const { rows } = await pool.query<{ isNeeded: boolean; hasOpen: boolean }>(
    toStatement(sql`
      select exists (select from deliveries) as "hasOpen",
             exists (select from deliveries where ${lost(graceMs)})
             or exists (select from deliveries where ${delayed(graceMs)})
             or exists (select from deliveries where ${withoutState(graceMs)})
             or exists (select from dead_letters where ${UNPUBLISHED}) as "isNeeded"`),
  );
  return rows[0] ?? { isNeeded: false, hasOpen: true };
}

export async function claim(pool: Pool, graceMs: number, limit: number): Promise<Job[]> {
  const { rows } = await pool.query<Job>(
    toStatement(sql`
      with lost as (
        select ctid as tid from deliveries
         where ${lost(graceMs)}
         order by tenant_id, id
         limit ${sql.lit(limit)}
           for no key update skip locked
      )
      update deliveries set enqueued_at = now(), locked_until = null
        from lost
       where deliveries.ctid = lost.tid
      returning deliveries.tenant_id as "tenantId", deliveries.id as "deliveryId", deliveries.generation,
                deliveries.attempt_count + 1 as attempt`),
  );
  return rows;
}

/**
 * Requeues overdue deliveries of retry queues and overdue deliveries without a queue state. Each kind is read in the order of its index:
 * one query for both would sort all retries for every batch after the broker lost its data.
 */
export async function requeue(pool: Pool, graceMs: number, limit: number): Promise<number> {
  const { rowCount } = await pool.query(
    toStatement(sql`
      with delayed as (${someOf(delayed(graceMs), limit)}
      ), without_state as (${someOf(withoutState(graceMs), limit)}
      ), overdue as (
        select * from delayed union all select * from without_state
      )
      update deliveries set queue_state = 'waiting', locked_until = null
        from overdue
       where deliveries.ctid = overdue.tid`),
  );
  return rowCount ?? 0;
}

export async function findDeadLetters(pool: Pool): Promise<Message[]> {
  const { rows } = await pool.query<Message>(
    toStatement(sql`
      select tenant_id as "tenantId", delivery_id as "deliveryId", subscription_id as "subscriptionId",
             event_id as "eventId", type, generation, attempts as attempt, failed_at as "failedAt", reason
        from dead_letters
       where ${UNPUBLISHED}
       order by failed_at
       limit 100`),
  );
  return rows;
}

// The message is overdue by the grace, or the process that made the attempt has died.
const lost = (graceMs: number) => sql`queue_state = 'queued' and status in ('pending', 'retrying')
       and case when locked_until is null then enqueued_at < now() - ${graceMs} * interval '1 ms' else locked_until < now() end`;

const overdue = (graceMs: number) => sql`status in ('pending', 'retrying')
       and next_attempt_at < now() - ${graceMs} * interval '1 ms' and (locked_until is null or locked_until < now())`;
const delayed = (graceMs: number) => sql`queue_state = 'delayed' and ${overdue(graceMs)}`;
const withoutState = (graceMs: number) => sql`queue_state is null and ${overdue(graceMs)}`;

const someOf = (condition: RawBuilder<unknown>, limit: number) => sql`
    select ctid as tid from deliveries
     where ${condition}
     order by next_attempt_at
     limit ${sql.lit(limit)}
       for no key update skip locked`;

// The 10 seconds leave the process that settled the last attempt time to publish the dead letter.
const UNPUBLISHED = sql`published_at is null and failed_at < now() - interval '10 seconds'`;
