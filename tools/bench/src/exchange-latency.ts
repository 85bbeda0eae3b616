// Publishes events at a fixed rate and measures the time from each publish to the webhook's request, and the processor time.
import type { TenantCredentials } from "@tradepost/devstack";
import type { BenchContext } from "./benches/bench.ts";
import { atRate } from "./load/at-rate.ts";
import { now } from "./now.ts";
import { perUnit } from "./processor-time.ts";
import { startEventPublisher } from "./publish-events.ts";
import { type Percentiles, percentiles } from "./statistics.ts";

const WARM_UP_SECONDS = 1;

/** Each tenant must have one subscription, to a receiver of the bench. `cpu` is in milliseconds per webhook, by program. */
export async function exchangeLatency(
  { platform, receivers, scale, observe }: BenchContext,
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
    const { outcome, cpuMs } = await observe(() => send(scale.seconds), "from the exchange");
    const { published, arrivals } = outcome;
    const latency = percentiles(published.map(([id, at]) => (arrivals.arrivedAt.get(id) ?? Number.NaN) - at));
    return { latency, cpu: perUnit(cpuMs, published.length) };
  } finally {
    await publisher.stop();
  }
}
