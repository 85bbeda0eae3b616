// The time from the commit of a change to the arrival of its webhook, at fixed rates.

import { type Programs, perUnit, pidsOf, processorTime } from "../processor-time.ts";
import { medians } from "../result.ts";
import type { Percentiles } from "../statistics.ts";
import { benchTenants } from "../tenants.ts";
import { webhookLatency } from "../webhook-latency.ts";
import type { Bench } from "./bench.ts";

const TENANTS = 8;

export const latency: Bench = {
  name: "latency",
  description: "milliseconds from the commit of a redirect to the arrival of its webhook, at fixed rates",
  target: "p50 ≤ 15 ms, p99 ≤ 75 ms at 50/s",
  run: async (context) => {
    const { platform, receivers, scale } = context;
    const tenants = await benchTenants(
      platform,
      receivers.urls.slice(0, TENANTS).map((url) => `${url}/`),
    );
    const programs: Programs = pidsOf(platform);
    const latencies: Record<string, Percentiles> = {};
    const cpus: Record<string, number>[] = [];
    for (const perSecond of scale.ratesPerSecond) {
      const before = await processorTime(programs);
      latencies[`${perSecond}/s`] = await webhookLatency(context, tenants, perSecond);
      cpus.push(perUnit(before, await processorTime(programs), perSecond * (scale.seconds + 1)));
    }
    return { unit: "webhook", latencies, cpu: medians(cpus.slice(-1)) };
  },
};
