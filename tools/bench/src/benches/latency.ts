// How long from the commit of a change until its webhook is at the receiver, at fixed rates.
import type { Bench } from "../bench-type.ts";
import { type Programs, perUnit, pidsOf, processorTime } from "../cpu.ts";
import { webhookLatency } from "../redirect-load.ts";
import { medians } from "../result.ts";
import type { Percentiles } from "../statistics.ts";
import { benchTenants } from "../tenants.ts";

const TENANTS = 8;

export const latency: Bench = {
  name: "latency",
  what: "from the commit of a redirect to its webhook's request at the receiver, in ms, at fixed rates",
  target: "p50 ≤ 15 ms, p99 ≤ 75 ms at 50/s",
  run: async (world) => {
    const { platform, receivers, scale } = world;
    const tenants = await benchTenants(
      platform,
      receivers.urls.slice(0, TENANTS).map((url) => `${url}/`),
    );
    const programs: Programs = pidsOf(platform);
    const latencies: Record<string, Percentiles> = {};
    const cpus: Record<string, number>[] = [];
    for (const perSecond of scale.ratesPerSecond) {
      const before = await processorTime(programs);
      latencies[`${perSecond}/s`] = await webhookLatency(world, tenants, perSecond);
      cpus.push(perUnit(before, await processorTime(programs), perSecond * (scale.seconds + 1)));
    }
    return { unit: "webhook", latencies, cpu: medians(cpus.slice(-1)) };
  },
};
