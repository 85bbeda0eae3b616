// The time from a request to the arrival of its webhook, at fixed rates, and the processor time at a low rate and at rest.

import { SERVICES } from "@tradepost/devstack";
import { sleep } from "@tradepost/runtime";
import { TENANTS } from "../baseline/pgbench.ts";
import { openLoop } from "../load/loops.ts";
import { gatewayOrderRequests } from "../load/order-requests.ts";
import { observeToRest, perUnit, sum } from "../observe.ts";
import { publishEvents } from "../publish-events.ts";
import { medians } from "../result.ts";
import { type Percentiles, spread } from "../statistics.ts";
import { benchTenants, deleteSubscriptions, eightTenants, untilFannedOut } from "../tenants.ts";
import { exchangeLatency, webhookLatency } from "../webhook-latency.ts";
import type { Bench } from "./bench.ts";

const PER_SECOND = 50;
const LINES = 3;

export const latency: Bench = {
  name: "latency",
  description: "milliseconds from the request for a redirect to the arrival of its webhook, at fixed rates",
  target: "p50 ≤ 6 ms, p99 ≤ 20 ms at 50/s, 20 and 100 ms at 500/s",
  run: async (context) => {
    const { scale } = context;
    const tenants = await eightTenants(context);
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

export const lowRate: Bench = {
  name: "low-rate",
  description:
    "CPU-ms of all programs for an event with one webhook, at 50 a second: published to the exchange, and through POST /v1/redirects",
  target: "≤ 6 from the exchange, ≤ 10 through the API; 4 and 7 are ambitious",
  run: async (context) => {
    const { scale } = context;
    const tenants = await eightTenants(context);
    const fromExchange: Awaited<ReturnType<typeof exchangeLatency>>[] = [];
    const throughApi: typeof fromExchange = [];
    // The first turn does not count, because code is compiled in it.
    for (let turn = scale.isShort ? 1 : 0; turn <= scale.turns; turn += 1) {
      const ofExchange = await exchangeLatency(context, tenants, PER_SECOND);
      const ofApi = await webhookLatency(context, tenants, PER_SECOND);
      if (turn === 0) continue;
      fromExchange.push(ofExchange);
      throughApi.push(ofApi);
    }
    const cpu = medians(fromExchange.map((one) => one.cpu));
    const apiCpu = medians(throughApi.map((one) => one.cpu));
    return {
      unit: "CPU-ms an event",
      measured: sum(cpu),
      cpu,
      figures: {
        "CPU-ms an event through POST /v1/redirects": sum(apiCpu),
        ...Object.fromEntries(Object.entries(apiCpu).map(([name, ms]) => [`  ${name}`, ms])),
      },
      latencies: {
        "from the exchange, publish to request": medians(fromExchange.map(({ latency }) => latency)),
        "through POST /v1/redirects, request to request": medians(throughApi.map(({ latency }) => latency)),
      },
    };
  },
  turn: async (context) => {
    const { platform, scale } = context;
    const redirects = await webhookLatency(context, await eightTenants(context), PER_SECOND);
    const request = gatewayOrderRequests(await benchTenants(platform, TENANTS), LINES);
    const load = { perSecond: PER_SECOND, seconds: scale.seconds, request, expect: 201 };
    const orders = await observeToRest(context, () => openLoop({ url: platform.url, ...load }));
    return {
      "lone redirect at 50/s: CPU-ms": [sum(redirects.cpu)],
      "lone redirect at 50/s: p50 to the webhook, ms": [redirects.latency.p50],
      "lone order at 50/s: CPU-ms": [sum(orders.cpuMs) / orders.outcome.length],
    };
  },
};

export const fairness: Bench = {
  name: "fairness",
  description:
    "the latency at 50/s while another endpoint hangs, with 20,000 deliveries waiting; baseline: without it",
  target: "≤ 2 ×",
  run: async (context) => {
    const { platform, receivers, scale } = context;
    const tenants = await eightTenants(context);
    const [hanging] = await benchTenants(platform, [`${receivers.urls[0]}/hang`]);
    if (hanging === undefined) throw new Error("no tenant was created");
    const { latency: baseline } = await webhookLatency(context, tenants, PER_SECOND);
    await publishEvents(platform, scale.hangingBacklog, [hanging.tenantId]);
    await untilFannedOut(platform, hanging.tenantId, scale.hangingBacklog);
    const { latency: measured } = await webhookLatency(context, tenants, PER_SECOND);
    await deleteSubscriptions(platform, hanging);
    return {
      unit: "ms (p99)",
      measured: measured.p99,
      baseline: baseline.p99,
      ratio: spread([measured.p50 / baseline.p50, measured.p99 / baseline.p99]),
      latencies: { "without the hanging endpoint": baseline, "with it": measured },
      notes: ["the ratio's bounds are the ratios of the p50 and of the p99"],
    };
  },
};

/** Long enough for the work that follows a start to end, and for the services to have come to rest and returned memory. */
const SETTLE_MS = 75_000;
const PERCENT_PER_MS_A_SECOND = 0.1;

export const idle: Bench = {
  name: "idle",
  description: "% of a core that the four services, Postgres and RabbitMQ use for a minute without work",
  target: "≤ 1.5 % for the services; 0.8 % is ambitious",
  run: async ({ observe, scale }) => {
    if (!scale.isShort) await sleep(SETTLE_MS);
    const { cpuMs } = await observe(() => sleep(scale.idleSeconds * 1_000));
    const perSecond = perUnit(cpuMs, scale.idleSeconds);
    const figures = Object.entries(perSecond).map(([name, ms]) => {
      return [`${name}, % of a core`, ms * PERCENT_PER_MS_A_SECOND];
    });
    const ofServices = SERVICES.reduce((total, name) => total + (perSecond[name] ?? 0), 0);
    const measured = ofServices * PERCENT_PER_MS_A_SECOND;
    return { unit: "% of a core", measured, figures: Object.fromEntries(figures) };
  },
};
