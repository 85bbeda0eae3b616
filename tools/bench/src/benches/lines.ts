// Orders of 500 lines, the maximum, compared with one statement that writes the same rows.
import { compareWithPgbench } from "../compare-with-pgbench.ts";
import type { Bench } from "./bench.ts";

const LINES = 500;

export const lines: Bench = {
  name: "lines",
  description: "orders of 500 lines through the gateway; baseline: pgbench writing the same rows",
  target: "≥ 0.50",
  run: async (context) => {
    const { compared } = await compareWithPgbench(context, LINES);
    return { unit: "orders/s", ...compared };
  },
};
