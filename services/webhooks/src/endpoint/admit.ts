// Lets deliveries that wait in Postgres in to the broker, as many of each endpoint as its window has room for, oldest
// first. The only way to the queue `webhooks.deliveries`: fan-out, settle and the feed all come through here.
import type { PoolClient } from "pg";
import type { Job } from "../delivery/job.ts";
import { PROBED_FROM_FAILURES } from "./window.ts";

export interface EndpointId {
  readonly tenantId: string;
  readonly subscriptionId: string;
}

export interface Endpoint extends EndpointId {
  readonly windowSize: number;
}

// In the order of their ids, and after every other lock of the transaction but those that are skipped where they are
// held: nobody waits in a circle.
const LOCK_ENDPOINTS = `
  select tenant_id as "tenantId", subscription_id as "subscriptionId", window_size as "windowSize"
    from endpoints
   where (tenant_id, subscription_id) in (select * from unnest($1::uuid[], $2::uuid[]))
   order by tenant_id, subscription_id
     for no key update`;

/** Holds the windows until the transaction ends; what is counted after this, nobody else is counting. */
export async function lockEndpoints(
  client: PoolClient,
  endpoints: readonly EndpointId[],
): Promise<Endpoint[]> {
  const { rows } = await client.query<Endpoint>(LOCK_ENDPOINTS, [
    endpoints.map(({ tenantId }) => tenantId),
    endpoints.map(({ subscriptionId }) => subscriptionId),
  ]);
  return rows;
}

// A statement of its own: one that began before the locks were had would count what was there then. While the deliveries of
// a resumed subscription are being brought in line, what is younger than how far that has come waits: older ones come first.
const ADMIT = `
  with endpoint as (
    select endpoints.tenant_id, endpoints.subscription_id,
           case when consecutive_failures < ${PROBED_FROM_FAILURES} then window_size
                when $3 then 1 else 0 end as window_size,
           least(now(), after_created_at) as due_until
      from endpoints
      join subscriptions on subscriptions.tenant_id = endpoints.tenant_id
                        and subscriptions.id = endpoints.subscription_id and subscriptions.active
      left join reconciliations on reconciliations.tenant_id = endpoints.tenant_id
                               and reconciliations.subscription_id = endpoints.subscription_id
     where (endpoints.tenant_id, endpoints.subscription_id) in (select * from unnest($1::uuid[], $2::uuid[]))
  ), admitted as (
    select waiting.tenant_id, waiting.id
      from endpoint
     cross join lateral (
       select count(*) as count from deliveries
        where deliveries.tenant_id = endpoint.tenant_id and deliveries.subscription_id = endpoint.subscription_id
          and queue_state = 'queued' and status in ('pending', 'retrying')
     ) queued
     cross join lateral (
       select tenant_id, id from deliveries
        where deliveries.tenant_id = endpoint.tenant_id and deliveries.subscription_id = endpoint.subscription_id
          and queue_state = 'waiting' and status in ('pending', 'retrying') and next_attempt_at <= due_until
        order by next_attempt_at, id
        limit greatest(endpoint.window_size - queued.count, 0)
          for no key update skip locked
     ) waiting
  )
  update deliveries set queue_state = 'queued', enqueued_at = now()
    from admitted
   where deliveries.tenant_id = admitted.tenant_id and deliveries.id = admitted.id
  returning deliveries.tenant_id as "tenantId", deliveries.id as "deliveryId", deliveries.generation,
            deliveries.attempt_count + 1 as attempt`;

/**
 * In: endpoints that the transaction has locked; and whether this is the feed, which alone lets in what endpoints that
 * are down are probed with. Out: the jobs to publish once it has committed, oldest first; one that is not published is
 * found by the sweep.
 */
export async function admit(
  client: PoolClient,
  endpoints: readonly EndpointId[],
  { probes }: { probes: boolean },
): Promise<Job[]> {
  if (endpoints.length === 0) return [];
  const { rows: jobs } = await client.query<Job>(ADMIT, [
    endpoints.map(({ tenantId }) => tenantId),
    endpoints.map(({ subscriptionId }) => subscriptionId),
    probes,
  ]);
  // Ids are time-ordered.
  return jobs.sort((a, b) => (a.deliveryId < b.deliveryId ? -1 : 1));
}
