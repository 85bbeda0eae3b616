// POST /v1/orders through the gateway, compared with the same rows written straight into Postgres, and with orders straight to the
// service.

import { CLIENTS, preparePgbench, TENANTS } from "../baseline/pgbench.ts";
import { closedLoop, openLoop } from "../load/loops.ts";
import { gatewayOrderRequests, serviceOrderRequests } from "../load/order-requests.ts";
import { observeToRest, sum } from "../observe.ts";
import type { MeasuredPlatform } from "../platform.ts";
import { compareInTurns } from "../result.ts";
import { type Percentiles, percentiles } from "../statistics.ts";
import { benchTenants } from "../tenants.ts";
import type { Bench, BenchContext } from "./bench.ts";

const LINES = 3;
const LINES_MAX = 500;

export const orders: Bench = {
  name: "orders",
  description:
    "orders of 3 lines through the gateway, 8 tenants, 16 connections; baseline: pgbench writing the same rows",
  target: "≥ 0.30; 0.40 is ambitious",
  run: async (context) => {
    const { platform, scale } = context;
    const compared = await compareWithPgbench(context, LINES);
    const request = gatewayOrderRequests(await benchTenants(platform, TENANTS), LINES);
    const latencies: Record<string, Percentiles> = {};
    for (const perSecond of scale.orderRatesPerSecond) {
      const rate = { url: platform.url, perSecond, seconds: scale.seconds, request, expect: 201 };
      latencies[`${perSecond}/s`] = percentiles(await openLoop(rate));
    }
    return { unit: "orders/s", ...compared, latencies };
  },
  turn: async (context) => {
    const { platform, scale } = context;
    const placeOrders = await orderLoop(platform);
    const { outcome, cpuMs } = await observeToRest(context, () => placeOrders(scale.seconds));
    return {
      "order of 3 lines, full load: CPU-ms": [sum(cpuMs) / outcome.count],
      "orders of 3 lines a second": [outcome.perSecond],
    };
  },
};

export const lines: Bench = {
  name: "lines",
  description: "orders of 500 lines through the gateway; baseline: pgbench writing the same rows",
  target: "≥ 0.50",
  run: async (context) => {
    const compared = await compareWithPgbench(context, LINES_MAX);
    return { unit: "orders/s", ...compared };
  },
};

export const gateway: Bench = {
  name: "gateway",
  description: "orders through the gateway; baseline: orders straight to the service, signed in advance",
  target: "≥ 0.65",
  run: async ({ platform, scale, observe }) => {
    const tenants = await benchTenants(platform, TENANTS);
    const run = (url: string, request: () => string) => () =>
      closedLoop({ url, connections: CLIENTS, until: { seconds: scale.seconds }, request, expect: 201 });
    const compared = await compareInTurns(
      run(platform.url, gatewayOrderRequests(tenants, LINES)),
      run(platform.urls.orders, serviceOrderRequests(tenants, LINES, platform.secrets.gatewaySecrets.orders)),
      { scale, observe },
    );
    return { unit: "orders/s", ...compared };
  },
};

/** Returns a function that places orders at full load. */
async function orderLoop(platform: MeasuredPlatform, lines = LINES) {
  const request = gatewayOrderRequests(await benchTenants(platform, TENANTS), lines);
  return (seconds: number) =>
    closedLoop({ url: platform.url, connections: CLIENTS, until: { seconds }, request, expect: 201 });
}

async function compareWithPgbench({ platform, scale, observe }: BenchContext, lines: number) {
  const placeOrders = await orderLoop(platform, lines);
  // The baseline copies the latest order.
  await placeOrders(1);
  const pgbench = await preparePgbench(platform, lines);
  const compared = await compareInTurns(
    () => placeOrders(scale.seconds),
    () => pgbench(scale.seconds),
    { scale, observe },
  );
  return compared;
}
