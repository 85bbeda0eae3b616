// Resizes the windows of endpoints after their latest attempts, and admits the deliveries that then have room.
import type { PoolClient } from "pg";
import type { Outcome } from "../delivery/delivery.ts";
import type { Job } from "../delivery/job.ts";
import { admit, type Endpoint, type EndpointId, lockEndpoints } from "./admit.ts";
import { windowAfter } from "./window.ts";

interface EndpointAttempt extends EndpointId {
  readonly outcome: Outcome;
  readonly durationMs: number;
}

/** Runs in the transaction that settles these attempts. Returns the jobs to publish after its commit. */
export async function resizeWindows(
  client: PoolClient,
  attempts: readonly EndpointAttempt[],
): Promise<Job[]> {
  const byEndpoint = Map.groupBy(attempts, ({ subscriptionId }) => subscriptionId);
  const endpoints = await lockEndpoints(
    client,
    [...byEndpoint.values()].flatMap(([attempt]) => attempt ?? []),
  );
  const resized = endpoints
    .map((endpoint) => ({
      ...endpoint,
      windowSize: windowAfter(endpoint.windowSize, byEndpoint.get(endpoint.subscriptionId) ?? []),
    }))
    .filter((endpoint, index) => endpoint.windowSize !== endpoints[index]?.windowSize);
  if (resized.length > 0) await resize(client, resized);
  return await admit(client, endpoints, { probes: false });
}

async function resize(client: PoolClient, endpoints: readonly Endpoint[]): Promise<void> {
  await client.query(RESIZE, [
    endpoints.map(({ tenantId }) => tenantId),
    endpoints.map(({ subscriptionId }) => subscriptionId),
    endpoints.map(({ windowSize }) => windowSize),
  ]);
}

const RESIZE = `
  update endpoints set window_size = resized.window_size
    from unnest($1::uuid[], $2::uuid[], $3::integer[]) as resized (tenant_id, subscription_id, window_size)
   where endpoints.tenant_id = resized.tenant_id and endpoints.subscription_id = resized.subscription_id`;
