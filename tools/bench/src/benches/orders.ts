// POST /v1/orders through the gateway, with everything running, against what Postgres alone can write on this machine.
import { againstPgbench } from "../against-pgbench.ts";
import type { Bench } from "../bench-type.ts";
import { openLoop } from "../load/open-loop.ts";
import { type Percentiles, percentiles } from "../statistics.ts";

const LINES = 3;

export const orders: Bench = {
  name: "orders",
  what: "orders of 3 lines through the gateway, 8 tenants, 16 connections; baseline: pgbench writing the same rows",
  target: "≥ 0.30; 0.40 is the moonshot",
  run: async (world) => {
    const { platform, scale } = world;
    const { compared, request } = await againstPgbench(world, LINES);
    const latencies: Record<string, Percentiles> = {};
    for (const perSecond of scale.orderRatesPerSecond) {
      const rate = { url: platform.url, perSecond, seconds: scale.seconds, request, expect: 201 };
      latencies[`${perSecond}/s`] = percentiles(await openLoop(rate));
    }
    return { unit: "orders/s", ...compared, latencies };
  },
};
