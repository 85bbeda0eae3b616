// POST /v1/orders through the gateway, compared with the same rows written straight into Postgres.
import { compareWithPgbench } from "../compare-with-pgbench.ts";
import { openLoop } from "../load/open-loop.ts";
import { type Percentiles, percentiles } from "../statistics.ts";
import type { Bench } from "./bench.ts";

const LINES = 3;

export const orders: Bench = {
  name: "orders",
  description:
    "orders of 3 lines through the gateway, 8 tenants, 16 connections; baseline: pgbench writing the same rows",
  target: "≥ 0.30; 0.40 is ambitious",
  run: async (context) => {
    const { platform, scale } = context;
    const { compared, request } = await compareWithPgbench(context, LINES);
    const latencies: Record<string, Percentiles> = {};
    for (const perSecond of scale.orderRatesPerSecond) {
      const rate = { url: platform.url, perSecond, seconds: scale.seconds, request, expect: 201 };
      latencies[`${perSecond}/s`] = percentiles(await openLoop(rate));
    }
    return { unit: "orders/s", ...compared, latencies };
  },
};
