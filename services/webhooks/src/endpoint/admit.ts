// Admits deliveries that wait in Postgres to the queue `webhooks.deliveries`: for each endpoint as many as its window has
// room for, oldest first. Fan-out, settle, requeue-due and the admission loop all admit through here; only the sweep
// publishes without it, for deliveries that were admitted before.
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

/** Locks the windows until the transaction ends: no other transaction admits to them meanwhile. */
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

/**
 * The transaction must have locked the endpoints. `probes` admits one delivery to an endpoint that is down; only the admission
 * loop sets it. Returns the jobs to publish after the commit, oldest first. The sweep publishes a job that is lost before that.
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
  // Ids are ordered by their time.
  return jobs.sort((a, b) => (a.deliveryId < b.deliveryId ? -1 : 1));
}

// Endpoints are locked in the order of their ids and after all other rows, except those that skip locked ones: no deadlock.
const LOCK_ENDPOINTS = `
  select tenant_id as "tenantId", subscription_id as "subscriptionId", window_size as "windowSize"
    from endpoints
   where (tenant_id, subscription_id) in (select * from unnest($1::uuid[], $2::uuid[]))
   order by tenant_id, subscription_id
     for no key update`;

// A separate statement from the lock: its snapshot must be taken after the locks, to count what the previous holder
// admitted. While a resumed subscription is being reconciled, deliveries younger than the reconciliation's progress wait,
// so that older ones go first.
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
