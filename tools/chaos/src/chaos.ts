// `npm run chaos [-- --fault NAME --events N]`: checks the delivery guarantees on this machine. It starts a private platform
// with two processes of each service and steady traffic, injects one fault after the other, and reconciles what was
// attempted, acknowledged, committed and delivered. The exit status is 1 when a guarantee does not hold.
import { writeFile } from "node:fs/promises";
import { onStopRequest } from "@tradepost/devstack";
import { sentenceOf, verify } from "@tradepost/ops/verify";
import { Command } from "commander";
import { startEnvironment } from "./environment.ts";
import { faults } from "./faults/all.ts";
import type { Fault } from "./faults/fault.ts";
import type { ChaosPlatform } from "./platform.ts";
import { tableHeader, tableRow, total } from "./report.ts";
import { type FaultResult, type FaultRun, runFault } from "./run-fault.ts";
import { createHostileTenant } from "./tenants.ts";

const NAME_WIDTH = Math.max(...faults.map(({ name }) => name.length));

interface Options {
  fault?: string;
  events: string;
  rate: string;
  lastMs: string;
  steadyMs: string;
  short?: boolean;
  json?: string;
}

const program = new Command("chaos")
  .description("Injects faults into a private Tradepost and checks that nothing is lost.")
  .option("--fault <name>", "only faults whose name contains this text")
  .option("--events <n>", "minimum number of operations for each fault", "500")
  .option("--rate <n>", "operations per second", "60")
  .option("--last-ms <n>", "duration of a fault, if it can be chosen", "5000")
  .option("--steady-ms <n>", "duration of the traffic before a fault and after it", "3000")
  .option("--short", "only the faults that are part of the tests")
  .option("--json <file>", "also write the results to this file");
program.parse();
process.exit(await run(program.opts<Options>()));

async function run(options: Options): Promise<number> {
  const selected = faults.filter(
    ({ name, isShort }) => (!options.short || isShort) && name.includes(options.fault ?? ""),
  );
  if (selected.length === 0) {
    console.error(`No such fault. The faults are: ${faults.map(({ name }) => name).join(", ")}.`);
    return 1;
  }
  const running = new AsyncDisposableStack();
  const interrupted = new Promise<number>((resolve) => {
    onStopRequest(() => resolve(130));
  });
  try {
    return await Promise.race([interrupted, startAndInject(selected, options, running)]);
  } finally {
    await running.disposeAsync();
  }
}

async function startAndInject(
  selected: readonly Fault[],
  options: Options,
  running: AsyncDisposableStack,
): Promise<number> {
  const environment = await startEnvironment("chaos", running);
  const { platform, webhookObserver } = environment;
  const faultRun = {
    ...environment,
    hostileTenant: await createHostileTenant(platform, webhookObserver),
    durationMs: Number(options.lastMs),
    operationsMin: Number(options.events),
    operationsPerSecond: Number(options.rate),
    steadyMs: Number(options.steadyMs),
  };
  return await injectAll(selected, faultRun, options.json);
}

async function injectAll(
  selected: readonly Fault[],
  faultRun: FaultRun,
  jsonFile: string | undefined,
): Promise<number> {
  console.log(`\n${tableHeader(NAME_WIDTH)}`);
  const startedAt = new Date();
  const results: (FaultResult & { fault: string })[] = [];
  for (const fault of selected) {
    const result = await runFault(fault, faultRun);
    results.push({ fault: fault.name, ...result });
    console.log(tableRow(fault.name, result.counts, NAME_WIDTH));
    for (const note of result.notes) console.log(`  ${note}`);
    if (result.violations.length > 0) console.log(`  violations: ${result.violations.join(", ")}`);
  }
  const totals = total(results.map(({ counts }) => counts));
  console.log(tableRow("total", totals, NAME_WIDTH));
  const verification = await verify(addressesOf(faultRun.platform), startedAt);
  const mismatches = verification.faults.map(sentenceOf).join("\n");
  console.log(`\n${mismatches || "Everything is accounted for."}`);
  if (jsonFile !== undefined) {
    const report = { results, total: totals, verify: verification };
    await writeFile(jsonFile, `${JSON.stringify(report, null, 2)}\n`);
  }
  const hasViolations = results.some(({ violations }) => violations.length > 0);
  return hasViolations || verification.faults.length > 0 ? 1 : 0;
}

function addressesOf({ databases, rabbitmq }: ChaosPlatform) {
  return { databases, amqpUrl: rabbitmq.amqpUrl, managementUrl: rabbitmq.managementUrl };
}
