// Makes events with one webhook each, through the API or on the exchange, and measures the time to the webhook's request and the
// processor time.
import { randomUUID } from "node:crypto";
import type { TenantCredentials } from "@tradepost/devstack";
import { CLIENTS } from "./baseline/pgbench.ts";
import type { MeasureContext } from "./benches/bench.ts";
import { requestText } from "./load/connection.ts";
import { atRate, closedLoop, openLoop } from "./load/loops.ts";
import { perUnit } from "./observe.ts";
import { startEventPublisher } from "./publish-events.ts";
import { now, type Percentiles, percentiles } from "./statistics.ts";

const WARM_UP_SECONDS = 1;

/**
 * Creates redirects at a fixed rate; the time counts from when a request was due. Each tenant must have one subscription, to a receiver
 * of the bench. `cpu` is in milliseconds per webhook, by program.
 */
export async function webhookLatency(
  { platform, receivers, scale, observe }: MeasureContext,
  tenants: readonly TenantCredentials[],
  perSecond: number,
): Promise<{ latency: Percentiles; cpu: Record<string, number> }> {
  const dueAt = new Map<string, number>();
  const nextRequest = redirectRequests(tenants);
  const request = (due: number) => {
    const id = randomUUID();
    dueAt.set(id, performance.timeOrigin + due);
    return nextRequest(id);
  };
  const send = async (seconds: number) => {
    const arriving = receivers.expect(Math.round(perSecond * seconds));
    await openLoop({ url: platform.url, perSecond, seconds, request, expect: 201 });
    return await arriving;
  };
  await send(WARM_UP_SECONDS);
  const { outcome, cpuMs } = await observe(() => send(scale.seconds));
  const latency = percentiles([...outcome.arrivedAt].map(([id, at]) => at - (dueAt.get(id) ?? Number.NaN)));
  return { latency, cpu: perUnit(cpuMs, outcome.count) };
}

/** Creates `count` redirects as fast as the platform accepts them, and waits for their webhooks. */
export async function redirectsAtFullLoad(
  { platform, receivers }: MeasureContext,
  tenants: readonly TenantCredentials[],
  count: number,
): Promise<void> {
  const nextRequest = redirectRequests(tenants);
  const arriving = receivers.expect(count);
  const accepted = await closedLoop({
    url: platform.url,
    connections: CLIENTS,
    until: { requests: count },
    request: () => nextRequest(randomUUID()),
    expect: 201,
  });
  if (accepted.count < count) throw new Error(`${count - accepted.count} of ${count} redirects were refused`);
  await arriving;
}

/** For the tenants in turn. */
function redirectRequests(tenants: readonly TenantCredentials[]): (id: string) => string {
  let sent = 0;
  return (id) => {
    const { apiKey } = tenants[sent % tenants.length] as TenantCredentials;
    sent += 1;
    const body = JSON.stringify({ from: `/bench/${id}`, to: "/shop", type: 301 });
    return requestText("POST", "/v1/redirects", { authorization: `Bearer ${apiKey}` }, body);
  };
}

/** The same on the exchange; the time counts from the publishing. */
export async function exchangeLatency(
  { platform, receivers, scale, observe }: MeasureContext,
  tenants: readonly TenantCredentials[],
  perSecond: number,
): Promise<{ latency: Percentiles; cpu: Record<string, number> }> {
  const publisher = await startEventPublisher(platform);
  const publish = async (index: number) => {
    const { tenantId } = tenants[index % tenants.length] as TenantCredentials;
    const at = now();
    return [await publisher.publish(tenantId), at] as const;
  };
  const send = async (seconds: number) => {
    const arriving = receivers.expect(Math.round(perSecond * seconds));
    const published = await atRate({ perSecond, seconds }, publish);
    return { published, arrivals: await arriving };
  };
  try {
    await send(WARM_UP_SECONDS);
    const { outcome, cpuMs } = await observe(() => send(scale.seconds));
    const { published, arrivals } = outcome;
    const latency = percentiles(published.map(([id, at]) => (arrivals.arrivedAt.get(id) ?? Number.NaN) - at));
    return { latency, cpu: perUnit(cpuMs, published.length) };
  } finally {
    await publisher.stop();
  }
}
