// Orders of 500 lines, as many as one may have, against one statement that writes as many.
import { againstPgbench } from "../against-pgbench.ts";
import type { Bench } from "../bench-type.ts";

const LINES = 500;

export const lines: Bench = {
  name: "lines",
  what: "orders of 500 lines through the gateway; baseline: pgbench writing the same rows",
  target: "≥ 0.50",
  run: async (world) => {
    const { compared } = await againstPgbench(world, LINES);
    return { unit: "orders/s", ...compared };
  },
};
