// `npm run scaling [-- --orders N …]`: computes the resources for 1, 10, 100 and 1,000 times a load from the measured costs of
// one unit.
import { table } from "@tradepost/ops/table";
import { Command, InvalidArgumentError } from "commander";
import { ASSUMPTIONS, type Assumptions, MEANING } from "./assumptions.ts";
import { type Plan, shareOf, simulate } from "./simulate.ts";
import { UNIT_COSTS } from "./unit-costs.ts";

const SCALES = [1, 10, 100, 1_000];
const LIMITS_SHOWN = 3;

const program = new Command("scaling").description(
  "Computes what multiples of a load take, from costs that were measured on two cores. Nothing is started.",
);
for (const [name, value] of Object.entries(ASSUMPTIONS))
  program.option(`${optionOf(name)} <n>`, MEANING[name as keyof Assumptions], number, value);
program.parse();
const assumptions = program.opts<Assumptions>();

console.log("Assumptions (each is an option):");
console.log(
  table(
    Object.entries(MEANING).map(([name, meaning]) => assumptionRow(name, meaning)),
    "",
  ),
);
console.log("\nCosts of a unit, in CPU-ms:");
console.log(table(Object.entries(UNIT_COSTS).map(costRow), ""));
console.log("\nWhat it takes:");
console.log(
  table(
    SCALES.map((scale) => planRow(simulate(scale, assumptions))),
    "",
  ),
);

function assumptionRow(name: string, meaning: string) {
  return { option: optionOf(name), value: assumptions[name as keyof Assumptions], meaning };
}

function costRow([unit, { cpu, source }]: [string, (typeof UNIT_COSTS)["order"]]) {
  const total = Object.values(cpu).reduce((sum, ms) => sum + ms, 0);
  return { unit, "CPU-ms": total.toFixed(2), source };
}

function planRow({ scale, cores, replicas, limits, ...plan }: Plan) {
  const { gateway, orders, content, webhooks } = replicas;
  return {
    scale,
    "cores in use": round(Object.values(cores).reduce((sum, used) => sum + used, 0)),
    "replicas (gateway, orders, content, webhooks)": `${gateway}, ${orders}, ${content}, ${webhooks}`,
    cells: plan.cells,
    "nearest limits, and what each cell uses of them": limits
      .slice(0, LIMITS_SHOWN)
      .map((limit) => `${limit.name} ${percent(shareOf(limit) / plan.cells)}`)
      .join(", "),
    "events/s": Math.round(plan.events),
    "WAL MB/s": plan.walMegabytes.toFixed(1),
    connections: plan.connections,
    "GB of services": Math.round(plan.memoryGigabytes),
    "TB stored": round(plan.storedGigabytes / 1_000),
    "cores bought": plan.coresBought,
    "price a month": Math.round(plan.pricePerMonth),
  };
}

function percent(share: number): string {
  return `${Math.round(share * 100)} %`;
}

function round(value: number): string {
  return value >= 10 ? String(Math.round(value)) : value.toFixed(1);
}

function optionOf(name: string): string {
  return `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

function number(text: string): number {
  const value = Number(text);
  if (Number.isFinite(value) && value > 0) return value;
  throw new InvalidArgumentError("It must be a number above 0.");
}
