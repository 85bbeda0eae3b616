// Lets in, by the clock, what no attempt's end lets in: deliveries of a subscription that was resumed, redriven ones,
// retries that come due a moment after their message, and probes of endpoints that are down.
import type { Publisher } from "@tradepost/messaging";
import { inTransaction } from "@tradepost/postgres";
import { type Logger, type Repetition, repeat } from "@tradepost/runtime";
import { failPoint } from "@tradepost/runtime/fail-point";
import type { Pool } from "pg";
import { type Job, jobMessage } from "../delivery/job.ts";
import { admit, type EndpointId, lockEndpoints } from "../endpoint/admit.ts";
import { PROBED_FROM_FAILURES } from "../endpoint/window.ts";
import { DELIVERIES_QUEUE } from "../topology.ts";

// While something waits; an endpoint that is down is so probed at most ten times a second by each replica.
const BUSY_WAIT_MS = 100;
const IDLE_WAIT_MS = 1_000;
// Looking may take this part of the time at most, however many endpoints have something waiting.
const SHARE_OF_TIME = 10;
const BATCH_ENDPOINTS_MAX = 100;

/** Replicas feed side by side: the windows' locks keep them from letting in too much. */
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
        await feed(endpoints.slice(start, start + BATCH_ENDPOINTS_MAX));
      }
      const busyMs = Math.max(BUSY_WAIT_MS, (performance.now() - startedAt) * SHARE_OF_TIME);
      return rows.length > 0 ? busyMs : IDLE_WAIT_MS;
    } catch (error) {
      logger.warn({ err: error }, "waiting deliveries could not be let in; trying again");
      return IDLE_WAIT_MS;
    }
  });

  async function feed(endpoints: readonly EndpointId[]): Promise<void> {
    const jobs = await inTransaction(pool, async (client): Promise<Job[]> => {
      await lockEndpoints(client, endpoints);
      const admitted = await admit(client, endpoints, { probes: true });
      if (admitted.length > 0) failPoint("admission-loop.admitted");
      return admitted;
    });
    if (jobs.length > 0) failPoint("admission-loop.committed");
    await Promise.all(jobs.map((job) => publisher.publish(jobMessage(DELIVERIES_QUEUE, job))));
  }
}

// Leaps from endpoint to endpoint through the index: what it costs goes by the endpoints, not by what they have waiting.
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
