// `npm run chaos [-- --cluster --fault NAME --events N]`: starts a private platform under steady traffic, injects one fault after
// the other, and reconciles what was attempted, acknowledged, committed and delivered. The exit status is 1 if a guarantee does not
// hold.
import { writeFile } from "node:fs/promises";
import { untilStopped } from "@tradepost/devstack";
import { Command } from "commander";
import { type ClusterPlatform, startClusterPlatform } from "./cluster-platform.ts";
import { createHistoryTenant, type Environment, startEnvironment } from "./environment.ts";
import { clusterFaults, isWhole } from "./faults/cluster.ts";
import type { Fault } from "./faults/fault.ts";
import { faults } from "./faults/servers.ts";
import { type ChaosPlatform, runOps, startChaosPlatform } from "./platform.ts";
import { tableHeader, tableRow, total } from "./report.ts";
import { type FaultResult, type FaultRun, runFault } from "./run-fault.ts";

interface Options {
  fault?: string;
  events: string;
  rate: string;
  lastMs: string;
  steadyMs: string;
  short?: boolean;
  cluster?: boolean;
  json?: string;
}

const program = new Command("chaos")
  .description("Injects faults into a private Tradepost and checks that nothing is lost.")
  .option("--fault <name>", "only faults whose name contains this text")
  .option("--events <n>", "minimum number of operations for each fault", "500")
  .option("--rate <n>", "operations per second", "60")
  .option("--last-ms <n>", "duration of a fault, if it can be chosen", "5000")
  .option("--steady-ms <n>", "duration of the traffic before a fault and after it", "3000")
  .option("--cluster", "three RabbitMQ nodes and databases with standbys, and their faults")
  .option("--short", "only the faults that are part of the tests")
  .option("--json <file>", "also write the results to this file");
program.parse();
process.exit(await run(program.opts<Options>()));

async function run(options: Options): Promise<number> {
  if (options.cluster === true)
    return await runOn(clusterFaults, startClusterPlatform, options, lookAtQueues);
  return await runOn(faults, startChaosPlatform, options);
}

async function runOn<Started extends ChaosPlatform>(
  all: readonly Fault<Started>[],
  start: (dataDir: string, log: (line: string) => void) => Promise<Started>,
  options: Options,
  lookAtEnd: (platform: Started) => Promise<boolean> = async () => true,
): Promise<number> {
  const { short, fault = "" } = options;
  const selected = all.filter(
    ({ name, isShort, isAlways }) => isAlways || ((!short || isShort) && name.includes(fault)),
  );
  if (selected.every(({ isAlways }) => isAlways)) {
    console.error(`No such fault. The faults are: ${all.map(({ name }) => name).join(", ")}.`);
    return 1;
  }
  return await untilStopped(async (running) => {
    const environment = await startEnvironment("chaos", running, start);
    const isIntact = await injectAll(selected, await faultRunOf(environment, options), options.json);
    return (await lookAtEnd(environment.platform)) && isIntact ? 0 : 1;
  });
}

async function faultRunOf<Started extends ChaosPlatform>(
  environment: Environment<Started>,
  options: Options,
): Promise<FaultRun<Started>> {
  return {
    ...environment,
    historyTenant: await createHistoryTenant(environment.platform, environment.webhookObserver),
    durationMs: Number(options.lastMs),
    operationsMin: Number(options.events),
    operationsPerSecond: Number(options.rate),
    steadyMs: Number(options.steadyMs),
  };
}

async function injectAll<Started extends ChaosPlatform>(
  selected: readonly Fault<Started>[],
  faultRun: FaultRun<Started>,
  jsonFile: string | undefined,
): Promise<boolean> {
  const nameWidth = Math.max(...selected.map(({ name }) => name.length));
  console.log(`\n${tableHeader(nameWidth)}`);
  const startedAt = new Date();
  const results: (FaultResult & { fault: string })[] = [];
  for (const fault of selected) {
    const result = await runFault(fault, faultRun);
    results.push({ fault: fault.name, ...result });
    console.log(tableRow(fault.name, result.counts, nameWidth));
    for (const note of result.notes) console.log(`  ${note}`);
    if (result.violations.length > 0) console.log(`  violations: ${result.violations.join(", ")}`);
  }
  const totals = total(results.map(({ counts }) => counts));
  console.log(tableRow("total", totals, nameWidth));
  const verify = (...options: string[]) =>
    runOps(faultRun.platform, "verify", "--since", startedAt.toISOString(), ...options).then(
      (output) => ({ isAccountedFor: true, output }),
      ({ message }: Error) => ({ isAccountedFor: false, output: message }),
    );
  const { isAccountedFor, output } = await verify();
  console.log(`\n${output}`);
  if (jsonFile !== undefined) {
    const report = { results, total: totals, verify: JSON.parse((await verify("--json")).output) };
    await writeFile(jsonFile, `${JSON.stringify(report, null, 2)}\n`);
  }
  return isAccountedFor && results.every(({ violations }) => violations.length === 0);
}

/** Prints the output of `ops queues`. Resolves to whether every queue has a member on each node, and all are up. */
async function lookAtQueues(platform: ClusterPlatform): Promise<boolean> {
  console.log(`\n${await runOps(platform, "queues")}`);
  return await isWhole(platform);
}
