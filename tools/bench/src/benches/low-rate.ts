// The cost of an event when there are few events, so that none is handled together with others.
import { exchangeLatency } from "../exchange-latency.ts";
import { idleTime } from "../idle-time.ts";
import { sum } from "../processor-time.ts";
import { medians } from "../result.ts";
import { benchTenants } from "../tenants.ts";
import { webhookLatency } from "../webhook-latency.ts";
import type { Bench } from "./bench.ts";

const PER_SECOND = 50;
const TENANTS = 8;
const IDLE_SECONDS_MAX = 15;

export const lowRate: Bench = {
  name: "low-rate",
  description:
    "CPU-ms of all programs for an event with one webhook, at 50 a second: published to the exchange, and through POST /v1/redirects",
  target: "≤ 6 from the exchange, ≤ 10 through the API; 4 and 7 are ambitious",
  run: async (context) => {
    const { platform, receivers, scale } = context;
    const tenants = await benchTenants(
      platform,
      receivers.urls.slice(0, TENANTS).map((url) => `${url}/`),
    );
    const idle = await idleTime(context, Math.min(IDLE_SECONDS_MAX, scale.idleSeconds));
    const fromExchange: Awaited<ReturnType<typeof exchangeLatency>>[] = [];
    const throughApi: typeof fromExchange = [];
    // The first turn does not count, because code is compiled in it.
    for (let turn = scale.isShort ? 1 : 0; turn <= scale.turns; turn += 1) {
      const measured = [
        await exchangeLatency(context, tenants, PER_SECOND),
        await webhookLatency(context, tenants, PER_SECOND),
      ] as const;
      if (turn === 0) continue;
      fromExchange.push(measured[0]);
      throughApi.push(measured[1]);
    }
    const [cpu, apiCpu] = [
      medians(fromExchange.map(({ cpu }) => cpu)),
      medians(throughApi.map(({ cpu }) => cpu)),
    ];
    return {
      unit: "CPU-ms an event",
      measured: sum(cpu),
      cpu,
      figures: {
        "CPU-ms an event through POST /v1/redirects": sum(apiCpu),
        ...Object.fromEntries(Object.entries(apiCpu).map(([name, ms]) => [`  ${name}`, ms])),
        "CPU-ms of this time that an idle platform takes": sum(idle) / PER_SECOND,
      },
      latencies: {
        "from the exchange, publish to request": medians(fromExchange.map(({ latency }) => latency)),
        "through POST /v1/redirects, commit to request": medians(throughApi.map(({ latency }) => latency)),
      },
    };
  },
};
