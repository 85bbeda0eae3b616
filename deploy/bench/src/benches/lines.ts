// Orders of 500 lines, as many as one may have, against one statement that writes as many.
import type { Bench } from "../bench-type.ts";
import { closedLoop } from "../load/closed-loop.ts";
import { throughGateway } from "../load/order-requests.ts";
import { inTurns } from "../result.ts";
import { benchTenants } from "../tenants.ts";
import { CLIENTS, preparePgbench } from "../yardstick/pgbench.ts";

const LINES = 500;
const TENANTS = 8;

export const lines: Bench = {
  name: "lines",
  what: "orders of 500 lines through the gateway; yardstick: pgbench writing the same rows",
  target: "≥ 0.50",
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
    return { unit: "orders/s", ...compared };
  },
};
