// The resident memory of each service after minutes of orders and webhooks, compared with the start.
import { readFile } from "node:fs/promises";
import { openLoop } from "../load/loops.ts";
import { gatewayOrderRequests } from "../load/order-requests.ts";
import { pidsOf } from "../observe.ts";
import { spread } from "../statistics.ts";
import { benchTenants } from "../tenants.ts";
import { webhookLatency } from "../webhook-latency.ts";
import type { Bench, BenchContext } from "./bench.ts";

const SERVICES = ["gateway", "orders", "content", "webhooks"] as const;
const [ORDERS_PER_SECOND, REDIRECTS_PER_SECOND, TENANTS, LINES] = [200, 50, 8, 3];

export const memory: Bench = {
  name: "memory",
  description:
    "resident MiB of each service after 10 minutes of load (200 orders and 50 webhooks a second); baseline: at the start",
  target: "flat, ≤ 150 MiB each",
  run: async (context) => {
    const { platform, receivers, scale } = context;
    const tenants = await benchTenants(
      platform,
      receivers.urls.slice(0, TENANTS).map((url) => `${url}/`),
    );
    const request = gatewayOrderRequests(tenants, LINES);
    const load = (seconds: number) =>
      Promise.all([
        openLoop({ url: platform.url, perSecond: ORDERS_PER_SECOND, seconds, request, expect: 201 }),
        webhookLatency({ ...context, scale: { ...scale, seconds } }, tenants, REDIRECTS_PER_SECOND),
      ]);
    // The first load also loads code that is loaded lazily, which counts as part of the start.
    await load(scale.seconds);
    const before = await residentMiB(context);
    await load(scale.memoryMinutes * 60);
    const after = await residentMiB(context);
    const largest = SERVICES.toSorted((a, b) => (after[b] ?? 0) - (after[a] ?? 0))[0] ?? "gateway";
    return {
      unit: `MiB (${largest})`,
      measured: after[largest] ?? Number.NaN,
      baseline: before[largest] ?? Number.NaN,
      ratio: spread(SERVICES.map((name) => (after[name] ?? 0) / (before[name] ?? 1))),
      notes: SERVICES.map((name) => `${name} ${before[name]} → ${after[name]} MiB`),
    };
  },
};

async function residentMiB({ platform }: BenchContext): Promise<Record<string, number>> {
  const programs = Object.entries(pidsOf(platform));
  const read = programs.map(async ([name, pid]) => {
    const status = await readFile(`/proc/${pid}/status`, "utf8").catch(() => "");
    return [name, Math.round(Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]) / 1_024)] as const;
  });
  return Object.fromEntries(await Promise.all(read));
}
