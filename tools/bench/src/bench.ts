// `npm run bench [-- NAME …]`: measures the platform on this machine, one process of each service with no feature switched off, as
// ratios to baselines that run in turn with it.
import { rm, writeFile } from "node:fs/promises";
import { cpus } from "node:os";
import { temporaryDataDir, untilStopped } from "@tradepost/devstack";
import { Command } from "commander";
import { BESIDE, type Bench, type BenchContext, FULL, type Scale, SHORT } from "./benches/bench.ts";
import { delivery, fanOut } from "./benches/delivery.ts";
import { fairness, idle, latency, lowRate } from "./benches/latency.ts";
import { gateway, lines, orders } from "./benches/orders.ts";
import { outage } from "./benches/outage.ts";
import { relay } from "./benches/relay.ts";
import { measureBeside } from "./beside/beside.ts";
import { findCommit } from "./beside/launch.ts";
import { observePlatform } from "./observe.ts";
import { startBenchPlatform } from "./platform.ts";
import { startReceivers } from "./receivers.ts";
import { formatResult, type Result } from "./result.ts";

/** In the order in which they run. The benches that leave the most data run last. */
const benches: readonly Bench[] = [
  idle,
  orders,
  gateway,
  lines,
  relay,
  lowRate,
  latency,
  delivery,
  fanOut,
  fairness,
  outage,
];
const besideBenches = benches.filter(({ turn }) => turn !== undefined);

interface Options {
  beside?: string;
  short?: boolean;
  json?: string;
}

const machine = { node: process.version, cores: cpus().length, processor: cpus()[0]?.model };

const program = new Command("bench")
  .description("Measures a private Tradepost against baselines on the same machine.")
  .argument("[names...]", "only benches whose name contains one of these texts")
  .option(
    "--beside <commit>",
    "run that commit's platform, too, and measure both in turn; prints the ratio of each figure, and its spread",
  )
  .option("--short", "run everything in about a minute; the figures mean nothing")
  .option("--json <file>", "also write the results to this file")
  .addHelpText(
    "after",
    `\nBenches:\n${benches.map(({ name, description }) => `  ${name}: ${description}`).join("\n")}
\nWith --beside: ${besideBenches.map(({ name }) => name).join(", ")}. All of them take about ten minutes.`,
  );
program.parse();
process.exit(await run(program.args, program.opts<Options>()));

async function run(names: readonly string[], options: Options): Promise<number> {
  const { beside, short, json } = options;
  const offered = beside === undefined ? benches : besideBenches;
  const selected = offered.filter(
    ({ name }) => names.length === 0 || names.some((part) => name.includes(part)),
  );
  if (selected.length === 0) {
    console.error(`No such bench. The benches are: ${offered.map((bench) => bench.name).join(", ")}.`);
    return 1;
  }
  const commit = beside === undefined ? undefined : await findCommit(beside);
  if (beside !== undefined && commit === undefined) {
    console.error(`There is no commit ${beside} in this repository, or its clone is shallow.`);
    return 1;
  }
  const full = beside === undefined ? FULL : BESIDE;
  const scale = short ? SHORT : full;
  return await untilStopped(async (running) => {
    const results = await measure(selected, scale, commit, running);
    if (json !== undefined)
      await writeFile(json, `${JSON.stringify({ machine, scale, ...results }, null, 2)}\n`);
    return 0;
  });
}

/** `commit` is the one of `--beside`. */
async function measure(
  selected: readonly Bench[],
  scale: Scale,
  commit: string | undefined,
  running: AsyncDisposableStack,
): Promise<object> {
  const dataDir = temporaryDataDir("bench");
  running.defer(() => rm(dataDir, { recursive: true, force: true }));
  console.log(`${machine.cores} × ${machine.processor}, Node ${machine.node}, everything on this machine\n`);
  if (commit !== undefined) {
    const options = { commit, scale, directory: dataDir, running };
    return { commit, comparisons: await measureBeside(selected, options) };
  }
  return { results: await measureAlone(selected, scale, dataDir, running) };
}

async function measureAlone(
  selected: readonly Bench[],
  scale: Scale,
  dataDir: string,
  running: AsyncDisposableStack,
): Promise<Result[]> {
  const platform = await startBenchPlatform(dataDir, console.log);
  running.defer(() => platform.kill());
  const receivers = await startReceivers(dataDir, new Array<string>(scale.endpoints).fill("127.0.0.1"));
  running.defer(() => receivers.stop());
  const context: BenchContext = { platform, receivers, scale, observe: observePlatform(platform) };
  const results: Result[] = [];
  for (const { name, target, run } of selected) {
    const result = { name, target, ...(await run(context)) };
    results.push(result);
    console.log(formatResult(result));
  }
  return results;
}
