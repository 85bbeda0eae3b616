// Orders of so many lines through the gateway, in turns with pgbench writing the same rows.

import { CLIENTS, preparePgbench, TENANTS } from "./baseline/pgbench.ts";
import type { World } from "./bench-type.ts";
import { pidsOf } from "./cpu.ts";
import { closedLoop } from "./load/closed-loop.ts";
import { throughGateway } from "./load/order-requests.ts";
import { inTurns } from "./result.ts";
import { benchTenants } from "./tenants.ts";

/** Out: how they compare, and what makes the next such request. */
export async function againstPgbench({ platform, scale }: World, lines: number) {
  const request = throughGateway(await benchTenants(platform, TENANTS), lines);
  const ours = (seconds: number) =>
    closedLoop({ url: platform.url, connections: CLIENTS, seconds, request, expect: 201 });
  // The baseline takes the measure of what was placed last.
  await ours(1);
  const pgbench = await preparePgbench(platform, lines);
  const compared = await inTurns(
    () => ours(scale.seconds),
    () => pgbench(scale.seconds),
    { scale, programs: () => pidsOf(platform) },
  );
  return { compared, request };
}
