// The time from the commit of a change to the arrival of its webhook, at fixed rates.
import type { Percentiles } from "../statistics.ts";
import { benchTenants } from "../tenants.ts";
import { webhookLatency } from "../webhook-latency.ts";
import type { Bench } from "./bench.ts";

const TENANTS = 8;

export const latency: Bench = {
  name: "latency",
  description: "milliseconds from the commit of a redirect to the arrival of its webhook, at fixed rates",
  target: "p50 ≤ 4 ms, p99 ≤ 20 ms at 50/s, 20 and 100 ms at 500/s; half of each is ambitious",
  run: async (context) => {
    const { platform, receivers, scale } = context;
    const tenants = await benchTenants(
      platform,
      receivers.urls.slice(0, TENANTS).map((url) => `${url}/`),
    );
    const latencies: Record<string, Percentiles> = {};
    let cpu: Record<string, number> = {};
    for (const perSecond of scale.ratesPerSecond) {
      const measured = await webhookLatency(context, tenants, perSecond);
      latencies[`${perSecond}/s`] = measured.latency;
      cpu = measured.cpu;
    }
    return { unit: "webhook", latencies, cpu, notes: ["the processor time is for the highest rate"] };
  },
};
