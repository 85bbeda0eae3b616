// Places orders through the gateway, in turn with pgbench writing the same rows.
import { CLIENTS, preparePgbench, TENANTS } from "./baseline/pgbench.ts";
import type { BenchContext } from "./benches/bench.ts";
import { closedLoop } from "./load/closed-loop.ts";
import { gatewayOrderRequests } from "./load/order-requests.ts";
import { compareInTurns } from "./result.ts";
import { benchTenants } from "./tenants.ts";

/** Compares orders of `lines` lines. Also returns the function that makes the requests. */
export async function compareWithPgbench({ platform, scale, observe }: BenchContext, lines: number) {
  const request = gatewayOrderRequests(await benchTenants(platform, TENANTS), lines);
  const placeOrders = (seconds: number) =>
    closedLoop({ url: platform.url, connections: CLIENTS, seconds, request, expect: 201 });
  // The baseline copies the latest order.
  await placeOrders(1);
  const pgbench = await preparePgbench(platform, lines);
  const compared = await compareInTurns(
    () => placeOrders(scale.seconds),
    () => pgbench(scale.seconds),
    { scale, observe },
  );
  return { compared, request };
}
