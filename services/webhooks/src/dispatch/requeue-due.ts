// Returns deliveries to Postgres when their wait in a retry queue is over. There they wait for the rest of their
// jitter and for room in their endpoint's window.
import type { Publisher } from "@tradepost/messaging";
import { inTransaction } from "@tradepost/postgres";
import { batch } from "@tradepost/runtime";
import { failPoint } from "@tradepost/runtime/fail-point";
import type { Pool } from "pg";
import type { Job } from "../delivery/job.ts";
import { publishJobs } from "../delivery/publish-jobs.ts";
import { admit, type EndpointId, lockEndpoints } from "../endpoint/admit.ts";

export type RequeueDue = (job: Job) => Promise<void>;

const BATCH_JOBS_MAX = 200;
// If a row is locked for longer, the next batch starts without waiting for it.
const MAX_WAIT_MS = 50;

/** Returns the function for a job that could not be claimed. It does nothing for a stale job. */
export function startRequeueDue(pool: Pool, publisher: Publisher): RequeueDue {
  return batch<Job, void>({
    itemsMax: BATCH_JOBS_MAX,
    maxWaitMs: MAX_WAIT_MS,
    work: async (jobs) => {
      const admitted = await requeueDue(pool, jobs);
      failPoint("requeue-due.committed");
      await publishJobs(publisher, admitted);
      return jobs.map(() => undefined);
    },
  });
}

async function requeueDue(pool: Pool, jobs: readonly Job[]): Promise<Job[]> {
  return await inTransaction(pool, async (client) => {
    const { rows: endpoints } = await client.query<EndpointId>(REQUEUE_DUE, [
      jobs.map(({ tenantId }) => tenantId),
      jobs.map(({ deliveryId }) => deliveryId),
      jobs.map(({ generation }) => generation),
      jobs.map(({ attempt }) => attempt),
    ]);
    if (endpoints.length === 0) return [];
    failPoint("requeue-due.waiting");
    await lockEndpoints(client, endpoints);
    const admitted = await admit(client, endpoints, { probes: false });
    failPoint("requeue-due.admitted");
    return admitted;
  });
}

const REQUEUE_DUE = `
  with due as (
    select deliveries.tenant_id, deliveries.id
      from unnest($1::uuid[], $2::uuid[], $3::integer[], $4::integer[]) as job (tenant_id, id, generation, attempt)
      join deliveries on deliveries.tenant_id = job.tenant_id and deliveries.id = job.id
                     and deliveries.generation = job.generation and deliveries.attempt_count = job.attempt - 1
     where deliveries.status = 'retrying' and deliveries.queue_state = 'delayed'
     order by deliveries.tenant_id, deliveries.id
       for no key update of deliveries
  ), requeued as (
    update deliveries set queue_state = 'waiting'
      from due
     where deliveries.tenant_id = due.tenant_id and deliveries.id = due.id
    returning deliveries.tenant_id, deliveries.subscription_id
  )
  select distinct tenant_id as "tenantId", subscription_id as "subscriptionId" from requeued`;
