// Periodically admits deliveries that no ending attempt admits: resumed, redriven, past their jitter, or probes.
import type { Publisher } from "@tradepost/messaging";
import { inTransaction } from "@tradepost/postgres";
import { type Logger, type Repetition, repeat } from "@tradepost/runtime";
import { failPoint } from "@tradepost/runtime/fail-point";
import type { Pool } from "pg";
import type { Job } from "../delivery/job.ts";
import { publishJobs } from "../delivery/publish-jobs.ts";
import { admit, type EndpointId, lockEndpoints } from "../endpoint/admit.ts";
import { PROBED_FROM_FAILURES } from "../endpoint/window.ts";

// While deliveries wait. Each replica probes an endpoint that is down at most ten times a second.
const BUSY_WAIT_MS = 100;
const IDLE_WAIT_MS = 1_000;
// A run takes at most a tenth of the time, however many endpoints have deliveries waiting.
const WAIT_PER_RUN = 10;
const BATCH_ENDPOINTS_MAX = 100;

/** Replicas run it at the same time: the locks on the windows keep them from admitting too much. */
export function startAdmissionLoop(options: {
  pool: Pool;
  publisher: Publisher;
  logger: Logger;
}): Repetition {
  const { pool, publisher, logger } = options;
  return repeat(async () => {
    if (!publisher.isUp()) return IDLE_WAIT_MS;
    const startedAt = performance.now();
    try {
      const { rows } = await pool.query<EndpointId & { hasRoom: boolean }>(FIND_WAITING);
      const endpoints = rows.filter(({ hasRoom }) => hasRoom);
      for (let start = 0; start < endpoints.length; start += BATCH_ENDPOINTS_MAX) {
        await admitTo(endpoints.slice(start, start + BATCH_ENDPOINTS_MAX));
      }
      const busyMs = Math.max(BUSY_WAIT_MS, (performance.now() - startedAt) * WAIT_PER_RUN);
      return rows.length > 0 ? busyMs : IDLE_WAIT_MS;
    } catch (error) {
      logger.warn({ err: error }, "waiting deliveries not admitted; retrying");
      return IDLE_WAIT_MS;
    }
  });

  async function admitTo(endpoints: readonly EndpointId[]): Promise<void> {
    const jobs = await inTransaction(pool, async (client): Promise<Job[]> => {
      await lockEndpoints(client, endpoints);
      const admitted = await admit(client, endpoints, { probes: true });
      if (admitted.length > 0) failPoint("admission-loop.admitted");
      return admitted;
    });
    if (jobs.length > 0) failPoint("admission-loop.committed");
    await publishJobs(publisher, jobs);
  }
}

// Skips through the index from endpoint to endpoint, so the cost grows with the endpoints, not with their waiting deliveries.
const FIND_WAITING = `
  with recursive endpoint as (
    (select tenant_id, subscription_id from deliveries
      where queue_state = 'waiting' and status in ('pending', 'retrying')
      order by tenant_id, subscription_id limit 1)
    union all
    select following.* from endpoint cross join lateral (
      select tenant_id, subscription_id from deliveries
       where queue_state = 'waiting' and status in ('pending', 'retrying')
         and (tenant_id, subscription_id) > (endpoint.tenant_id, endpoint.subscription_id)
       order by tenant_id, subscription_id limit 1
    ) following
  )
  select endpoint.tenant_id as "tenantId", endpoint.subscription_id as "subscriptionId",
         queued.count < case when consecutive_failures < ${PROBED_FROM_FAILURES} then window_size else 1 end as "hasRoom"
    from endpoint
    join endpoints on endpoints.tenant_id = endpoint.tenant_id
                  and endpoints.subscription_id = endpoint.subscription_id
    join subscriptions on subscriptions.tenant_id = endpoint.tenant_id
                      and subscriptions.id = endpoint.subscription_id and active
   cross join lateral (
     select count(*) as count from deliveries
      where deliveries.tenant_id = endpoint.tenant_id and deliveries.subscription_id = endpoint.subscription_id
        and queue_state = 'queued' and status in ('pending', 'retrying')
   ) queued`;
