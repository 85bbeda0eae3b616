// POST /v1/orders through the gateway, with everything running, against what Postgres alone can write on this machine.
import type { Bench } from "../bench-type.ts";
import { closedLoop } from "../load/closed-loop.ts";
import { openLoop } from "../load/open-loop.ts";
import { throughGateway } from "../load/order-requests.ts";
import { inTurns } from "../result.ts";
import { type Percentiles, percentiles } from "../statistics.ts";
import { benchTenants } from "../tenants.ts";
import { CLIENTS, preparePgbench } from "../yardstick/pgbench.ts";

const LINES = 3;
const TENANTS = 8;

export const orders: Bench = {
  name: "orders",
  what: "orders of 3 lines through the gateway, 8 tenants, 16 connections; yardstick: pgbench writing the same rows",
  target: "≥ 0.30; 0.40 is the moonshot",
  run: async ({ stack, scale }) => {
    const request = throughGateway(await benchTenants(stack, TENANTS), LINES);
    const ours = (seconds: number) =>
      closedLoop({ url: stack.url, connections: CLIENTS, seconds, request, expect: 201 });
    await ours(1);
    const pgbench = await preparePgbench(stack, LINES);
    const compared = await inTurns(
      () => ours(scale.seconds),
      () => pgbench(scale.seconds),
      { turns: scale.turns, programs: stack.programs() },
    );
    const latencies: Record<string, Percentiles> = {};
    for (const perSecond of scale.orderRatesPerSecond) {
      const rate = { url: stack.url, perSecond, seconds: scale.seconds, request, expect: 201 };
      latencies[`${perSecond}/s`] = percentiles(await openLoop(rate));
    }
    return { unit: "orders/s", ...compared, latencies };
  },
};
