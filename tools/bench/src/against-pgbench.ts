// Orders of so many lines through the gateway, in turns with pgbench writing the same rows.
import type { World } from "./bench-type.ts";
import { closedLoop } from "./load/closed-loop.ts";
import { throughGateway } from "./load/order-requests.ts";
import { inTurns } from "./result.ts";
import { benchTenants } from "./tenants.ts";
import { CLIENTS, preparePgbench, TENANTS } from "./yardstick/pgbench.ts";

/** Out: how they compare, and what makes the next such request. */
export async function againstPgbench({ stack, scale }: World, lines: number) {
  const request = throughGateway(await benchTenants(stack, TENANTS), lines);
  const ours = (seconds: number) =>
    closedLoop({ url: stack.url, connections: CLIENTS, seconds, request, expect: 201 });
  // The yardstick takes the measure of what was placed last.
  await ours(1);
  const pgbench = await preparePgbench(stack, lines);
  const compared = await inTurns(
    () => ours(scale.seconds),
    () => pgbench(scale.seconds),
    { scale, programs: stack.programs },
  );
  return { compared, request };
}
